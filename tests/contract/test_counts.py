"""A report is the newest count of each key, whatever else the topic still holds."""

from datetime import UTC, datetime, timedelta
from types import SimpleNamespace

import pytest

from contract.counts import MAX_UNREADABLE, Counts, report
from contract.stats import StatsKey, decode_count, decode_key, encode_key, hour_key

TEN = datetime(2026, 11, 20, 10, tzinfo=UTC)


def key(zip_code: str, hour: int = 0) -> StatsKey:
    start = TEN + timedelta(hours=hour)
    return hour_key(zip_code, start)


def folded(*records: tuple[bytes | None, bytes | None]) -> Counts:
    counts = Counts()
    counts.fold(
        SimpleNamespace(key=k, value=v, timestamp=1000 * n, partition=0, offset=n)
        for n, (k, v) in enumerate(records)
    )
    return counts


def test_a_key_is_written_as_outside_programs_read_it() -> None:
    assert encode_key(key("94304")) == (
        b'{"zip_code":"94304","window":'
        b'{"start":"2026-11-20T10:00:00.000Z","end":"2026-11-20T11:00:00.000Z"}}'
    )
    assert decode_key(encode_key(key("01002"))) == key("01002")


def test_the_newest_value_wins_and_a_tombstone_removes() -> None:
    a, b = encode_key(key("a")), encode_key(key("b"))
    counts = folded((a, b"1500"), (b, b"2000"), (a, b"900"), (b, None))
    assert counts.by_key == {key("a"): 900}
    assert report(counts.by_key, 1000) == []


def test_what_is_no_count_is_reported_and_not_fatal() -> None:
    counts = folded((b"nonsense", b"1"), (encode_key(key("a")), b"many"), (None, b"1"))
    assert counts.by_key == {}
    assert [line.split(":")[0] for line in counts.unreadable] == [
        f"partition 0 offset {n}" for n in range(3)
    ]


def test_of_records_that_are_no_counts_the_newest_are_kept_and_all_are_numbered() -> None:
    counts = folded(*[(b"nonsense", b"1")] * (MAX_UNREADABLE + 5))
    assert (counts.unreadable_total, len(counts.unreadable)) == (MAX_UNREADABLE + 5, MAX_UNREADABLE)
    assert counts.unreadable[-1].startswith(f"partition 0 offset {MAX_UNREADABLE + 4}: ")


def test_the_report_is_above_the_threshold_and_highest_first() -> None:
    rows = report({key("a"): 1000, key("b"): 1001, key("c", 1): 3000}, 1000)
    assert [(row.zip_code, row.count) for row in rows] == [("c", 3000), ("b", 1001)]
    assert rows[0].as_json() == {
        "zip_code": "c",
        "window_start": "2026-11-20T11:00:00Z",
        "window_end": "2026-11-20T12:00:00Z",
        "count": 3000,
    }


@pytest.mark.parametrize("value", [b"", b"-1", b"1.5", b" 1", b"9" * 19, "\u0661".encode()])
def test_a_count_is_decimal_text_and_nothing_else(value: bytes) -> None:
    with pytest.raises(ValueError, match="not a count"):
        decode_count(value)
