"""Distinct sightings and what became of each, on disk, so that memory does not grow with them."""

import sqlite3
from collections.abc import Iterable, Iterator
from enum import IntEnum
from pathlib import Path
from typing import NamedTuple

from check.instants import HOUR

UNPLACED = "unknown"
"""The zip code of a sighting whose device has no known place."""


class Fate(IntEnum):
    """What a record means for a sighting that it carries; the lowest over all records holds."""

    COUNTED = 0
    TOO_LATE = 1
    FUTURE = 2
    UNSEEN = 9


class HourCount(NamedTuple):
    """Sightings of a zip code and hour (start in µs) up to the first and to the second end."""

    zip_code: str
    start: int
    first: int
    second: int


class Sightings:
    """Distinct sightings, judged at two ends of the topic, and where their devices are.

    The first end is what the stats query has committed, the second the topic's end read afterwards.
    """

    def __init__(self, folder: Path) -> None:
        self._db = sqlite3.connect(folder / "sightings.sqlite", isolation_level=None)
        self._db.executescript("""
            PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -65536;
            CREATE TABLE sighting (
                device_id TEXT, start INTEGER, hour INTEGER, first INTEGER, second INTEGER,
                PRIMARY KEY (device_id, start)) WITHOUT ROWID;
            CREATE TABLE location (device_id TEXT PRIMARY KEY, zip_code TEXT) WITHOUT ROWID;
        """)
        self._new: dict[tuple[str, int], tuple[int, int]] = {}

    def close(self) -> None:
        """Let go of the file."""
        self._db.close()

    def add(self, device_id: str, start: int, fate: Fate, committed: bool) -> None:
        """Take in a record's sighting; ``committed`` says that it lies before the first end."""
        key = (device_id, start)
        first, second = self._new.get(key, (Fate.UNSEEN, Fate.UNSEEN))
        self._new[key] = (min(first, fate) if committed else first, min(second, fate))

    def flush(self) -> None:
        """Write down what was added."""
        rows = sorted((d, s, s - s % HOUR, *fates) for (d, s), fates in self._new.items())
        self._db.execute("BEGIN")
        self._db.executemany(
            "INSERT INTO sighting VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET "
            "first = min(first, excluded.first), second = min(second, excluded.second)",
            rows,
        )
        self._db.execute("COMMIT")
        self._new.clear()

    def locate(self, locations: Iterable[tuple[str, str]]) -> None:
        """Take in where devices are; sqlite3.IntegrityError if one is named twice."""
        self._db.execute("BEGIN")
        self._db.executemany("INSERT INTO location VALUES (?, ?)", locations)
        self._db.execute("COMMIT")

    def by_fate(self) -> dict[Fate, int]:
        """Count the distinct sightings up to the second end by what became of them."""
        found = dict(self._db.execute("SELECT second, count(*) FROM sighting GROUP BY second"))
        return {fate: found.get(fate, 0) for fate in Fate}

    def counts(self) -> Iterator[HourCount]:
        """Yield the recount of each zip code and hour that has any, in order."""
        for row in self._db.execute(
            "SELECT coalesce(nullif(zip_code, ''), ?) AS zip, hour, sum(first = 0), count(*) "
            "FROM sighting LEFT JOIN location USING (device_id) WHERE second = 0 "
            "GROUP BY zip, hour ORDER BY zip, hour",
            (UNPLACED,),
        ):
            yield HourCount(*row)

    def unplaced(self) -> int:
        """Count the sightings on time whose device has no known zip code."""
        ((found,),) = self._db.execute(
            "SELECT count(*) FROM sighting LEFT JOIN location USING (device_id) "
            "WHERE second = 0 AND coalesce(zip_code, '') = ''"
        )
        return int(found)
