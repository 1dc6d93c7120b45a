"""Sightings that the query ``sightings`` may lack: Spark's functions cannot read their records.

docs/architecture.md says which records these are, under sightings.
"""

import json
from collections.abc import Iterable, Iterator
from typing import Any

from kafka.consumer.fetcher import ConsumerRecord

from check.rules.expected_record import expected_record
from check.rules.instants import record_timestamp
from check.sightings import Outcome, outcome_of

_LONGEST_NAME = 50_000
"""What Spark's parser takes of a name, in UTF-16 code units."""


class _OddNameError(Exception):
    pass


def without_readable(
    missing: set[tuple[str, int]],
    records: Iterable[ConsumerRecord],
    *,
    clock_skew: int,
    lateness: int,
) -> set[tuple[str, int]]:
    """Return which missing sightings (device_id, start) no record has that Spark can read.

    The durations are in microseconds.
    """
    left = set(missing)
    for record in records:
        if not left:
            break
        if has_plain_names(record.value):
            left.difference_update(_sightings_in_time(record, clock_skew, lateness))
    return left


def _sightings_in_time(
    record: ConsumerRecord, clock_skew: int, lateness: int
) -> Iterator[tuple[str, int]]:
    timestamp = record_timestamp(record.timestamp)
    if timestamp is None:
        return
    for device_id, start in expected_record(record.value, timestamp, clock_skew).sightings:
        if outcome_of(timestamp, start, clock_skew, lateness) is Outcome.COUNTED:
            yield device_id, start


def has_plain_names(value: bytes | None) -> bool:
    """Tell whether no object of a document has a name twice, a long one, or half a character."""
    try:
        json.loads(
            value or b"", object_pairs_hook=_require_plain_names, parse_int=str, parse_float=str
        )
    except _OddNameError:
        return False
    except (ValueError, RecursionError):
        return True  # it has no sightings
    return True


def _require_plain_names(pairs: list[tuple[str, Any]]) -> None:
    names = {name for name, _ in pairs}
    if len(names) < len(pairs) or not all(map(_is_plain, names)):
        raise _OddNameError


def _is_plain(name: str) -> bool:
    try:
        return len(name.encode("utf-16-le")) <= 2 * _LONGEST_NAME
    except UnicodeEncodeError:  # half a character
        return False
