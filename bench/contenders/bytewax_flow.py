"""The contender ``bytewax``: the same job as a Bytewax dataflow, with its recovery store.

Bytewax keeps offsets and state in SQLite at the end of each epoch, and starts again from the last
one. The sink below goes back with it: it restores the Delta table to the version of that epoch, so
a kill loses no row and doubles none, but readers may see rows come, go and come again. Counts are
absolute and sent at least once. One worker in one process, since Python code holds the GIL.
There is no quarantine: the first bad message stops it.
"""

from collections.abc import Iterable
from contextlib import AbstractContextManager, nullcontext
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

import bytewax.operators as op
import orjson
import pyarrow as pa
from bytewax.connectors.kafka import KafkaSource, KafkaSourceMessage
from bytewax.dataflow import Dataflow
from bytewax.operators import StatefulBatchLogic
from bytewax.outputs import (
    DynamicSink,
    FixedPartitionedSink,
    StatefulSinkPartition,
    StatelessSinkPartition,
)
from bytewax.recovery import RecoveryConfig, init_db_dir
from bytewax.run import cli_main

from bench.contenders.camera_rows import CameraRows, Positions
from bench.contenders.camera_writer import append_rows, create_camera_table
from bench.contenders.count_writer import HOUR_US, CountWriter
from bench.contenders.on_time import on_time_limits
from bench.contenders.registry import Job
from check.locations import read_locations
from contract.settings import Settings
from contract.stats import UNPLACED
from contract.topics import NEST_LOGS

_EPOCH = timedelta(seconds=5)
_BATCH_MESSAGES = 1_000


def bytewax_flow(settings: Settings) -> AbstractContextManager[Job]:
    """Archive and count. There is nothing to prepare."""
    return nullcontext(_archive_and_count)


def _archive_and_count(settings: Settings) -> None:
    store = Path(settings.checkpoints, "bytewax")
    if not store.exists():
        store.mkdir(parents=True)
        init_db_dir(store, 1)
    cli_main(_flow(settings), epoch_interval=_EPOCH, recovery_config=RecoveryConfig(store))


def _flow(settings: Settings) -> Dataflow:
    flow = Dataflow("nest")
    brokers = settings.bootstrap_servers.split(",")
    source = KafkaSource(brokers, [NEST_LOGS.name], tail=False, batch_size=_BATCH_MESSAGES)
    parsed = op.flat_map_batch("parse", op.input(NEST_LOGS.name, flow, source), _Parser(settings))
    rows = op.key_on("all_in_one_table", parsed, lambda _: "camera")
    op.output("camera", op.map_value("rows", rows, lambda each: each.rows), _CameraSink(settings))
    sightings = op.flat_map("sightings", parsed, lambda each: each.sightings)
    new = op.stateful_batch("new", sightings, lambda seen: _NewSightings(seen or set()))
    hours = op.map("hour", new, _Places(settings))
    counts = op.stateful_batch("count", hours, lambda count: _Count(count or 0))
    op.output("nest-camera-stats", counts, _CountSink(settings))
    return flow


class _Parsed(NamedTuple):
    """What a batch of messages holds: rows of the table, and sightings (device, start in µs)."""

    rows: pa.Table
    sightings: list[tuple[str, int]]


class _Parser:
    """Parses batches of messages. Sightings that are not on time are left out."""

    def __init__(self, settings: Settings) -> None:
        self._least, self._most = on_time_limits(settings)
        self._rows = CameraRows()

    def __call__(self, messages: list[KafkaSourceMessage]) -> Iterable[_Parsed]:
        cameras: list[dict[str, Any]] = []
        message_of_camera: list[int] = []
        timestamps = [message.timestamp[1] * 1000 for message in messages]
        sightings: list[tuple[str, int]] = []
        for number, message in enumerate(messages):
            found = orjson.loads(message.value)["devices"]["cameras"].values()
            cameras.extend(found)
            message_of_camera.extend([number] * len(found))
            sightings += self._sightings(found, timestamps[number])
        positions = Positions(
            [message.partition for message in messages],
            [message.offset for message in messages],
            timestamps,
        )
        yield _Parsed(self._rows.lay_out(cameras, message_of_camera, positions), sightings)

    def _sightings(self, cameras: Iterable[Any], timestamp: int) -> Iterable[tuple[str, int]]:
        for camera in cameras:
            event = camera.get("last_event")
            if event and event.get("has_person"):
                start = _micros(event["start_time"])
                if self._least <= timestamp - start <= self._most:
                    yield camera["device_id"], start


class _NewSightings(StatefulBatchLogic[int, int, set[int]]):
    """Lets each start time of a device through once."""

    def __init__(self, seen: set[int]) -> None:
        self._seen = seen

    def on_batch(self, values: list[int]) -> tuple[Iterable[int], bool]:
        new = set(values) - self._seen
        self._seen |= new
        return list(new), StatefulBatchLogic.RETAIN

    def snapshot(self) -> set[int]:
        return set(self._seen)


class _Places:
    """Turns a device's sighting into its zip code and hour, as one text."""

    def __init__(self, settings: Settings) -> None:
        self._zip_codes = dict(read_locations(settings.device_locations))

    def __call__(self, sighting: tuple[str, int]) -> tuple[str, int]:
        device_id, start = sighting
        return f"{self._zip_codes.get(device_id) or UNPLACED}|{start - start % HOUR_US}", 1


class _Count(StatefulBatchLogic[int, int, int]):
    """Counts; gives the new count once per batch."""

    def __init__(self, count: int) -> None:
        self._count = count

    def on_batch(self, values: list[int]) -> tuple[Iterable[int], bool]:
        self._count += len(values)
        return [self._count], StatefulBatchLogic.RETAIN

    def snapshot(self) -> int:
        return self._count


class _CameraTable(StatefulSinkPartition[pa.Table, int]):
    """Commits the rows of an epoch at its end; its state is the version of the table."""

    def __init__(self, settings: Settings, version: int) -> None:
        self._table = create_camera_table(settings)
        if self._table.version() > version:
            self._table.restore(version)
        self._rows: list[pa.Table] = []

    def write_batch(self, values: list[pa.Table]) -> None:
        self._rows += values

    def snapshot(self) -> int:
        if self._rows:
            append_rows(self._table, pa.concat_tables(self._rows))
            self._rows = []
        return int(self._table.version())

    def close(self) -> None:
        self.snapshot()


class _CameraSink(FixedPartitionedSink[pa.Table, int]):
    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    def list_parts(self) -> list[str]:
        return ["camera"]

    def build_part(self, step_id: str, for_part: str, resume_state: int | None) -> _CameraTable:
        return _CameraTable(self._settings, resume_state or 0)


class _Counts(StatelessSinkPartition[tuple[str, int]]):
    def __init__(self, settings: Settings) -> None:
        self._writer = CountWriter(settings)

    def write_batch(self, items: list[tuple[str, int]]) -> None:
        keys = ((key.split("|"), count) for key, count in items)
        self._writer.send(((zip_code, int(hour)), count) for (zip_code, hour), count in keys)
        self._writer.flush()  # no epoch may end before its counts are there


class _CountSink(DynamicSink[tuple[str, int]]):
    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    def build(self, step_id: str, worker_index: int, worker_count: int) -> _Counts:
        return _Counts(self._settings)


def _micros(text: str) -> int:
    start = datetime.fromisoformat(text)
    return int(start.timestamp()) * 1_000_000 + start.microsecond
