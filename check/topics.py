"""What the check reads from Kafka beside nest-logs: committed offsets and the latest counts."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from kafka import KafkaConsumer

from check.counted_cases import CountedCases
from check.rules.document import json_text, parse_document
from check.rules.instants import format_instant, parse_instant
from check.value_difference import format_value
from contract.kafka.bounded_read import records_in_topic
from contract.progress import QueryProgress
from contract.topics import CAMERA_STATS

CountKey = tuple[str, int, int]
"""Zip code, start and end of the hour (µs since 1970, UTC)."""

_MOST_READ = 1_000
"""Characters of a record that is no count: far more than are shown, so that no secret is cut."""
_MOST_DIGITS = 18
"""A longer number is no count to any reader of the topic: it may not fit into 64 bits."""
_YEAR_10000 = 253_402_300_800_000_000
_YEAR_10000_TEXTS = ("+10000-01-01T00:00:00.000Z", "10000-01-01T00:00:00.000Z")


class CommittedVersion(NamedTuple):
    """Up to which version, included, a query has committed the table that it reads as a stream."""

    table_id: str
    version: int


class Committed(NamedTuple):
    """What the latest progress of each query says; a query that says nothing is not there."""

    offsets: dict[str, dict[int, int]]
    """By query and partition of nest-logs."""
    versions: dict[str, CommittedVersion]
    """By query that reads a table."""


def committed_positions(latest: Mapping[str, QueryProgress]) -> Committed:
    """Return up to where the queries have committed, by the newest progress of each."""
    return Committed(
        {query: each.end_offsets for query, each in latest.items() if each.end_offsets},
        {
            query: CommittedVersion(each.table_id or "", each.end_version)
            for query, each in latest.items()
            if each.end_version >= 0
        },
    )


@dataclass
class FoldedCounts:
    """The latest count per key of nest-camera-stats, and the records that are no counts."""

    by_key: dict[CountKey, int] = field(default_factory=dict)
    tombstones: CountedCases = field(default_factory=CountedCases)
    unreadable: CountedCases = field(default_factory=CountedCases)


def fold_counts(consumer: KafkaConsumer) -> FoldedCounts:
    """Fold nest-camera-stats from its beginning to what is its end now.

    Like every reader of the topic, this passes over a record that is no count, and notes it.
    """
    folded = FoldedCounts()
    for record in records_in_topic(consumer, CAMERA_STATS.name):
        try:
            key = parse_key(record.key)
            if record.value is None:
                folded.by_key.pop(key, None)
                folded.tombstones.add(f"offset {record.offset}: {format_key(key)}")
            else:
                folded.by_key[key] = _parse_count(record.value)
        except ValueError as error:
            folded.unreadable.add(f"offset {record.offset}: {error}")
    return folded


def parse_key(key: bytes | None) -> CountKey:
    """Parse ``{"zip_code":…,"window":{"start":…,"end":…}}``; ValueError for anything else."""
    document = parse_document(key)
    zip_code, window = document.get("zip_code"), document.get("window")
    if not isinstance(zip_code, str) or not isinstance(window, dict):
        raise ValueError("the key has no zip code and window")
    start, end = (_parse_side(window.get(side)) for side in ("start", "end"))
    if start is None or end is None:
        raise ValueError(f"the key's window is {format_value(json_text(window))}")
    return zip_code, start, end


def format_key(key: CountKey) -> str:
    """Return a key as text for people: the zip code and the hour."""
    zip_code, start, end = key
    return f"{zip_code} {format_instant(start)} to {format_instant(end)}"


def _parse_side(text: object) -> int | None:
    """Parse the start or end of a window; the last hour of year 9999 ends in year 10000."""
    return _YEAR_10000 if text in _YEAR_10000_TEXTS else parse_instant(str(text))


def _parse_count(value: bytes) -> int:
    text = value.decode("ascii", "replace")
    if not (text.isascii() and text.isdigit() and len(text) <= _MOST_DIGITS):
        raise ValueError(f"not a count: {format_value(text[:_MOST_READ])!r}")
    return int(text)
