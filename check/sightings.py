"""Distinct sightings and whether each one counts, kept on disk to bound memory."""

import sqlite3
from collections.abc import Iterable, Iterator
from enum import IntEnum
from pathlib import Path
from typing import NamedTuple

from check.rules.instants import HOUR

UNPLACED = "unknown"
"""The zip code of a sighting whose device has no zip code in device_locations."""


class Outcome(IntEnum):
    """What a record means for a sighting that it carries; over all records the lowest holds."""

    COUNTED = 0
    TOO_LATE = 1
    FUTURE = 2
    NOT_COMMITTED = 9
    """No record that the stats query has committed carries the sighting."""


_NOT_YET = Outcome.NOT_COMMITTED
_MOST_UNWRITTEN = 50_000


def outcome_of(timestamp: int, start: int, clock_skew: int, lateness: int) -> Outcome:
    """Judge a sighting by the timestamp of a record that carries it; all are in µs."""
    if timestamp < start - clock_skew:
        return Outcome.FUTURE
    return Outcome.COUNTED if timestamp <= start + lateness else Outcome.TOO_LATE


class HourCount(NamedTuple):
    """Sightings of a zip code and hour (its start in µs since 1970, UTC)."""

    zip_code: str
    start: int
    required: int
    """Up to the offsets that the stats query has committed."""
    possible: int
    """Up to the end of nest-logs, with those of records that retention has removed."""


class Sightings:
    """Distinct sightings and the locations of their devices, in a temporary SQLite file.

    Each sighting has an outcome up to what the query stats has committed, one up to what the query
    sightings has committed, and one up to the end of nest-logs, which was read later.
    """

    def __init__(self, folder: Path) -> None:
        self._db = sqlite3.connect(folder / "sightings.sqlite", isolation_level=None)
        self._db.executescript("""
            PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -65536;
            CREATE TABLE sighting (
                device_id TEXT, start INTEGER, hour INTEGER, committed INTEGER, streamed INTEGER,
                total INTEGER, possible INTEGER, PRIMARY KEY (device_id, start)) WITHOUT ROWID;
            CREATE TABLE location (device_id TEXT PRIMARY KEY, zip_code TEXT) WITHOUT ROWID;
        """)
        self._unwritten: dict[tuple[str, int], tuple[int, ...]] = {}

    @property
    def connection(self) -> sqlite3.Connection:
        """The file, for a comparison with what else is in it."""
        return self._db

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    def add(
        self,
        device_id: str,
        start: int,
        outcome: Outcome,
        is_counted: bool,
        is_streamed: bool = False,
    ) -> None:
        """Add a sighting of one record.

        The queries stats (``is_counted``) and sightings (``is_streamed``) have committed the record
        or not.
        """
        self._add(
            device_id,
            start,
            outcome if is_counted else _NOT_YET,
            outcome if is_streamed else _NOT_YET,
            outcome,
            outcome,
        )

    def add_expired(self, device_id: str, start: int, outcome: Outcome) -> None:
        """Add a sighting of a record that retention has removed from nest-logs."""
        self._add(device_id, start, _NOT_YET, _NOT_YET, _NOT_YET, outcome)
        if len(self._unwritten) >= _MOST_UNWRITTEN:
            self.flush()

    def _add(self, device_id: str, start: int, *outcomes: int) -> None:
        key = (device_id, start)
        before = self._unwritten.get(key)
        self._unwritten[key] = tuple(map(min, before, outcomes)) if before else outcomes

    def flush(self) -> None:
        """Write to disk what was added."""
        rows = sorted(
            (device_id, start, start - start % HOUR, *outcomes)
            for (device_id, start), outcomes in self._unwritten.items()
        )
        self._db.execute("BEGIN")
        self._db.executemany(
            "INSERT INTO sighting VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET "
            "committed = min(committed, excluded.committed), "
            "streamed = min(streamed, excluded.streamed), total = min(total, excluded.total), "
            "possible = min(possible, excluded.possible)",
            rows,
        )
        self._db.execute("COMMIT")
        self._unwritten.clear()

    def add_locations(self, locations: Iterable[tuple[str, str]]) -> None:
        """Add device_id and zip_code of devices; sqlite3.IntegrityError if an id is there twice."""
        self._db.execute("BEGIN")
        self._db.executemany("INSERT INTO location VALUES (?, ?)", locations)
        self._db.execute("COMMIT")

    def locations(self) -> Iterator[tuple[str, str]]:
        """Yield device_id and zip_code of the devices."""
        yield from self._db.execute("SELECT device_id, zip_code FROM location")

    def count_outcomes(self) -> dict[Outcome, int]:
        """Count the distinct sightings by outcome, up to the end of nest-logs."""
        found = dict(
            self._db.execute(
                "SELECT total, count(*) FROM sighting WHERE total < ? GROUP BY total", (_NOT_YET,)
            )
        )
        return {outcome: found.get(outcome, 0) for outcome in Outcome}

    def hour_counts(self) -> Iterator[HourCount]:
        """Yield the count of each zip code and hour that has sightings, in order."""
        for row in self._db.execute(
            "SELECT coalesce(nullif(zip_code, ''), ?) AS zip, hour, sum(committed = 0), count(*) "
            "FROM sighting LEFT JOIN location USING (device_id) WHERE possible = 0 "
            "GROUP BY zip, hour ORDER BY zip, hour",
            (UNPLACED,),
        ):
            yield HourCount(*row)

    def count_unplaced(self) -> int:
        """Count the sightings that count and whose device has no known zip code."""
        ((found,),) = self._db.execute(
            "SELECT count(*) FROM sighting LEFT JOIN location USING (device_id) "
            "WHERE total = 0 AND coalesce(zip_code, '') = ''"
        )
        return int(found)
