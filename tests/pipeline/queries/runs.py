"""Runs of the real queries: records in Kafka, and what the queries wrote of them."""

import shutil
import tempfile
import threading
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import orjson
from deltalake import DeltaTable
from pyspark.sql import SparkSession
from rich.console import Console

from contract.counts import read_counts
from contract.settings import Settings
from contract.topics import NEST_LOGS
from pipeline.app import run_queries
from pipeline.queries import archive, stats
from pipeline.queries.query_module import QueryModule
from tests.fixtures.kafka import Stamped, append_stamped, renew_topics

MIDNIGHT = datetime(2026, 11, 20, tzinfo=UTC)
ZIP_CODES = {"cam0": "94304", "cam1": "94304", "cam2": "01002", "cam3": "unknown"}


@dataclass(frozen=True)
class Send:
    """One record of one camera's event; both times are in minutes after midnight."""

    camera: int
    start: int
    """When the event began."""
    sent: int
    """The record's timestamp."""
    person: bool = True

    @property
    def on_time(self) -> bool:
        return self.start - 5 <= self.sent <= self.start + 60

    def value(self) -> bytes:
        start = (MIDNIGHT + timedelta(minutes=self.start)).isoformat().replace("+00:00", "Z")
        camera = {
            "device_id": f"cam{self.camera}",
            "last_event": {"has_person": self.person, "start_time": start},
        }
        return orjson.dumps({"devices": {"cameras": {"key": camera}}})


def expected_counts(sends: list[Send]) -> dict[tuple[str, int], int]:
    """Count the distinct sightings with a record on time, by zip code and hour."""
    seen = {(send.camera, send.start) for send in sends if send.person and send.on_time}
    return dict(Counter((ZIP_CODES[f"cam{camera}"], start // 60) for camera, start in seen))


@contextmanager
def new_settings(bootstrap: str, folder_prefix: str = "nest-") -> Iterator[Settings]:
    """Yield the settings of a run with topics, lake and checkpoints of its own.

    The folder of all files has a name with the prefix.
    Only archive and stats run; ``sightings`` has tests of its own.
    """
    renew_topics(bootstrap)
    folder = Path(tempfile.mkdtemp(prefix=folder_prefix))
    locations = folder / "device_locations.csv"
    lines = [
        f"{device},{zip_code}" for device, zip_code in ZIP_CODES.items() if zip_code != "unknown"
    ]
    locations.write_text("\n".join(["device_id,zip_code", *lines]))
    yield Settings(
        bootstrap_servers=bootstrap,
        lake=str(folder / "lake"),
        checkpoints=str(folder / "checkpoints"),
        device_locations=str(locations),
        sightings=False,
    )
    shutil.rmtree(folder)


def send(bootstrap: str, records: list[tuple[bytes | None, int]], key: bytes | None = None) -> None:
    """Send values with their own times, minutes after midnight, spread over the partitions."""
    midnight = int(MIDNIGHT.timestamp() * 1000)
    stamped = (
        Stamped(key or b"home%d" % (number % 7), value, midnight + minute * 60_000)
        for number, (value, minute) in enumerate(records)
    )
    append_stamped(bootstrap, NEST_LOGS.name, *stamped)


def run_to_end(
    spark: SparkSession,
    settings: Settings,
    queries: Sequence[QueryModule] | None = (stats, archive),
) -> None:
    """Start the queries (None: all of them) from their checkpoints and let them read to the end."""
    run_queries(spark, settings, threading.Event(), Console(quiet=True), once=True, queries=queries)


def counted(bootstrap: str) -> dict[tuple[str, int], int]:
    """Return the latest count by zip code and hour after midnight."""
    return {
        (key.zip_code, (key.start - MIDNIGHT) // timedelta(hours=1)): count
        for key, count in read_counts(bootstrap).by_key.items()
    }


def rows(settings: Settings, table: str) -> list[dict[str, Any]]:
    """Return the rows of a table."""
    found: list[dict[str, Any]] = (
        DeltaTable(f"{settings.lake}/{table}").to_pyarrow_table().to_pylist()
    )
    return found
