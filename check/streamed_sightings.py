"""Compare nest-sightings, folded by device_id and start_time, with the sightings that count."""

import json
import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import islice

from kafka import KafkaConsumer
from kafka.consumer.fetcher import ConsumerRecord

from check.counted_cases import CountedCases
from check.rules.document import parse_document
from check.rules.instants import format_instant, parse_instant
from check.sightings import UNPLACED, Outcome
from contract.kafka.bounded_read import records_in_topic
from contract.topics import SIGHTINGS

_RECORDS_AT_ONCE = 10_000
_MISSING = (
    "SELECT device_id, start FROM sighting AS r WHERE streamed = 0 AND NOT EXISTS ("
    "SELECT 1 FROM streamed_sighting AS s WHERE s.device_id = r.device_id AND s.start = r.start)"
)
"""The sightings that must be in the topic and are not."""
_UNEXPECTED = (
    "SELECT DISTINCT device_id, start FROM streamed_sighting LEFT JOIN sighting "
    "USING (device_id, start) WHERE possible IS NOT 0"
)
"""The sightings that are in the topic and must not be."""
_MOST_EXPLAINED = 10_000


@dataclass
class SightingComparison:
    """What the comparison found; a sighting is a distinct (device_id, start_time)."""

    required: int = 0
    """Sightings that must be there, because a record of theirs is committed."""
    possible: int = 0
    """Sightings that may be there."""
    found: int = 0
    """Sightings that the topic has."""
    missing: CountedCases = field(default_factory=CountedCases)
    unexpected: CountedCases = field(default_factory=CountedCases)
    misplaced: CountedCases = field(default_factory=CountedCases)
    """Sightings with another zip code than device_locations has for their device."""
    unreadable: CountedCases = field(default_factory=CountedCases)
    """Records of the topic that are no sightings."""


class StreamedSightings:
    """The sightings of the topic, in the file that also has the recounted ones."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._db = connection
        self._unreadable = CountedCases()
        self._db.create_function("may_be_left_out", 1, _may_be_left_out, deterministic=True)
        self._db.execute(
            "CREATE TABLE streamed_sighting (device_id TEXT, start INTEGER, zip_code TEXT, "
            "PRIMARY KEY (device_id, start, zip_code)) WITHOUT ROWID"
        )

    def read(self, consumer: KafkaConsumer) -> None:
        """Read the whole topic; UserError if there is none."""
        records = records_in_topic(consumer, SIGHTINGS.name)
        while chunk := list(islice(records, _RECORDS_AT_ONCE)):
            self._db.execute("BEGIN")
            self._db.executemany(
                "INSERT OR IGNORE INTO streamed_sighting VALUES (?, ?, ?)", self._parse(chunk)
            )
            self._db.execute("COMMIT")

    def unexplained(self, of_device: Callable[[str], bool]) -> Iterator[tuple[str, int]]:
        """Yield device_id and start of the sightings of some devices that nothing else explains."""
        self._db.create_function("is_chosen", 1, of_device, deterministic=True)
        yield from self._db.execute(f"{_UNEXPECTED} AND is_chosen(device_id)")

    def compare(
        self, may_be_missing: Callable[[set[tuple[str, int]]], set[tuple[str, int]]]
    ) -> SightingComparison:
        """Compare with the recounted sightings, whose devices' locations have been added.

        ``may_be_missing`` is given those that are missing, at most ten thousand, and returns which
        of them are not required.
        """
        self._db.execute(
            "UPDATE sighting SET streamed = ? "
            "WHERE streamed = 0 AND (device_id GLOB '[-0-9\"]*' OR device_id GLOB '*[{[]*') "
            "AND may_be_left_out(device_id)",
            (Outcome.NOT_COMMITTED,),
        )
        missing = set(islice(self._db.execute(_MISSING), _MOST_EXPLAINED))
        self._db.executemany(
            "UPDATE sighting SET streamed = ? WHERE device_id = ? AND start = ?",
            [(Outcome.NOT_COMMITTED, *each) for each in may_be_missing(missing)],
        )
        (found,) = self._db.execute(
            "SELECT count(*) FROM (SELECT DISTINCT device_id, start FROM streamed_sighting)"
        ).fetchone()
        required, possible = self._db.execute(
            "SELECT coalesce(sum(streamed = 0), 0), coalesce(sum(possible = 0), 0) FROM sighting"
        ).fetchone()
        comparison = SightingComparison(required, possible, found, unreadable=self._unreadable)
        for device_id, start in self._db.execute(_MISSING):
            comparison.missing.add(_format(device_id, start))
        for device_id, start in self._db.execute(_UNEXPECTED):
            comparison.unexpected.add(_format(device_id, start))
        for device_id, start, found_zip, expected in self._db.execute(
            "SELECT device_id, start, s.zip_code, coalesce(nullif(l.zip_code, ''), ?) AS expected "
            "FROM streamed_sighting AS s LEFT JOIN location AS l USING (device_id) "
            "WHERE s.zip_code <> expected",
            (UNPLACED,),
        ):
            comparison.misplaced.add(
                f"{_format(device_id, start)}: expected {expected}, found {found_zip}"
            )
        return comparison

    def _parse(self, records: list[ConsumerRecord]) -> Iterator[tuple[str, int, str]]:
        for record in records:
            try:
                yield _parse_sighting(record.key, record.value)
            except ValueError as error:
                self._unreadable.add(f"offset {record.offset}: {error}")


def _may_be_left_out(device_id: str) -> bool:
    """Tell whether the query leaves out an id, as Spark's functions may spell it anew.

    These are JSON objects, lists, and numbers other than integers; docs/architecture.md has them.
    """
    if device_id in ('"Infinity"', '"-Infinity"'):  # so it spells 1e400
        return True
    try:
        return isinstance(json.loads(device_id, parse_int=_integer), dict | list | float)
    except RecursionError:
        return True
    except ValueError:
        return False


def _integer(digits: str) -> int | float:
    """Return an integer, or for a zero, which may have been -0, a float; only the type matters."""
    return 0.0 if digits in ("0", "-0") else 1


def _parse_sighting(key: bytes | None, value: bytes | None) -> tuple[str, int, str]:
    """Return device_id, start (µs) and zip code; ValueError for anything but a sighting."""
    document = parse_document(value)
    device_id, zip_code = document.get("device_id"), document.get("zip_code")
    start = parse_instant(str(document.get("start_time")))
    if not isinstance(device_id, str) or not isinstance(zip_code, str) or start is None:
        raise ValueError("no device_id, zip_code or start_time")
    if key is None or key.decode("utf-8", "replace") != device_id:
        raise ValueError("the key is not the device_id")
    return device_id, start, zip_code


def _format(device_id: str, start: int) -> str:
    return f"{device_id[:100]} at {format_instant(start)}"
