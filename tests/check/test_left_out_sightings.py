"""A sighting may be missing only where Spark cannot read any record that carries it in time."""

import json

import pytest
from kafka.consumer.fetcher import ConsumerRecord

from check.left_out_sightings import has_plain_names, without_readable

START = "2026-11-20T12:00:00Z"
NOON_MS = 1_795_176_000_000
NOON = NOON_MS * 1_000
MINUTE = 60_000_000


def value(key: str) -> bytes:
    camera = {"device_id": "cam0", "last_event": {"has_person": True, "start_time": START}}
    return json.dumps({"devices": {"cameras": {key: camera}}}).encode()


def record(message: bytes | None, minutes: int = 0) -> ConsumerRecord:
    timestamp = NOON_MS + minutes * 60_000
    fields = {"topic": "nest-logs", "partition": 0, "offset": 0, "value": message}
    return ConsumerRecord(
        **dict.fromkeys(ConsumerRecord._fields) | fields | {"timestamp": timestamp}
    )


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        (None, True),
        (b"{", True),
        (b"[" * 600, True),
        (value("key"), True),
        (value("\u00e9"), True),
        (value("k" * 50_000), True),
        (value("k" * 50_001), False),
        (value("\U0001f600" * 25_001), False),
        (value("\ud800"), False),
        (b'{"a": 1, "b": {"c": 1, "c": 2}}', False),
        (b'{"a": 1, "b": {"a": 1, "c": [{"a": 2}]}}', True),
        (b'{"a": ' + b"1" * 5_000 + b', "a": 2}', False),
    ],
)
def test_names_are_plain_if_they_are_there_once_short_and_whole(
    message: bytes | None, expected: bool
) -> None:
    assert has_plain_names(message) is expected


def test_a_sighting_is_required_as_soon_as_one_readable_record_has_it_in_time() -> None:
    unreadable, late = record(value("k" * 50_001)), record(value("key"), minutes=90)

    def may_be_missing(*records: ConsumerRecord) -> set[tuple[str, int]]:
        missing = {("cam0", NOON), ("cam1", NOON)}
        return without_readable(missing, records, clock_skew=5 * MINUTE, lateness=60 * MINUTE)

    assert ("cam0", NOON) in may_be_missing(unreadable, late, record(None))
    assert may_be_missing(unreadable, record(value("key")), late) == {("cam1", NOON)}
