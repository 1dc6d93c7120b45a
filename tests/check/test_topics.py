"""Committed offsets and counts are the latest of each key; other records are passed over."""

import pytest

from check.topics import committed_positions, fold_counts, parse_key
from contract.kafka.connections import open_consumer
from contract.progress import QueryProgress, newest_progress
from contract.topics import CAMERA_STATS
from tests.fixtures.kafka import append
from tests.sample.progress import progress, send_progress
from tests.sample.small_run import TOKEN

TEN = 1_795_168_800_000_000
HOUR = 3_600_000_000
WINDOW = b'{"start":"2026-11-20T10:00:00.000Z","end":"2026-11-20T11:00:00Z"}'
KEY = b'{"zip_code":"01002","window":%s}' % WINDOW


@pytest.mark.kafka
def test_the_latest_progress_of_each_query_says_what_it_has_committed(fresh_topics: str) -> None:
    send_progress(
        fresh_topics,
        progress("archive", {0: 10, 1: 10}),
        progress("stats", {0: 7, 1: 8}),
        progress("archive", {0: 5, 1: 20}),
        QueryProgress(
            "camera_status", "running", "2026-11-20T12:00:00Z", table_id="table", end_version=7
        ),
        (b"stats", b"not a query's progress"),
        (b"stats", None),
    )
    offsets, versions = committed_positions(newest_progress(fresh_topics))
    assert offsets == {"archive": {0: 5, 1: 20}, "stats": {0: 7, 1: 8}}
    assert versions == {"camera_status": ("table", 7)}


@pytest.mark.kafka
def test_a_query_that_has_lost_its_offsets_has_committed_nothing(fresh_topics: str) -> None:
    send_progress(fresh_topics, progress("archive", {0: 10}), progress("archive", {}))
    assert committed_positions(newest_progress(fresh_topics)) == ({}, {})


@pytest.mark.kafka
def test_the_latest_count_of_each_key_holds(fresh_topics: str) -> None:
    other = KEY.replace(b"01002", b"94304")
    append(
        fresh_topics,
        CAMERA_STATS.name,
        (KEY, b"1"),
        (other, b"5"),
        (KEY, b"3"),
        (KEY, b"-4"),
        (KEY, b"1" * 19),
        (b"{}", b"4"),
        (other, None),
    )
    with open_consumer(fresh_topics) as consumer:
        folded = fold_counts(consumer)
    assert folded.by_key == {("01002", TEN, TEN + HOUR): 3}
    assert folded.tombstones.first_cases == [
        "offset 6: 94304 2026-11-20T10:00:00Z to 2026-11-20T11:00:00Z",
    ]
    assert folded.unreadable.first_cases == [
        "offset 3: not a count: '-4'",
        f"offset 4: not a count: '{'1' * 19}'",
        "offset 5: the key has no zip code and window",
    ]


@pytest.mark.kafka
def test_a_record_that_is_no_count_is_quoted_without_its_credentials(fresh_topics: str) -> None:
    message = b'{"metadata":{"access_token":"%s","client_version":1}}' % TOKEN.encode()
    append(fresh_topics, CAMERA_STATS.name, (KEY, message))
    with open_consumer(fresh_topics) as consumer:
        (case,) = fold_counts(consumer).unreadable.first_cases
    shown = '{"metadata":{"access_token":"***","client_version":1}}'
    assert case == f"offset 0: not a count: {shown!r}"


def test_a_key_is_a_zip_code_and_an_hour() -> None:
    assert parse_key(KEY) == ("01002", TEN, TEN + HOUR)


def test_the_last_hour_of_year_9999_ends_in_year_10000() -> None:
    key = b'{"zip_code":"1","window":{"start":"9999-12-31T23:00:00Z","end":"%s"}}'
    start = 253_402_297_200_000_000
    assert parse_key(key % b"+10000-01-01T00:00:00.000Z") == ("1", start, start + HOUR)


@pytest.mark.parametrize(
    ("key", "why"),
    [
        (None, "no value"),
        (b"01002", "not JSON"),
        (b'{"zip_code":1002,"window":{}}', "no zip code and window"),
        (b'{"zip_code":"01002"}', "no zip code and window"),
        (b'{"zip_code":"01002","window":{"start":"2026-11-20T10:00:00Z"}}', "the key's window is"),
    ],
)
def test_anything_else_is_no_key(key: bytes | None, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        parse_key(key)
