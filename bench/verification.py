"""Whether a contender's output is right: its counts, its rows, and the project's own check."""

import pyarrow as pa
import pyarrow.dataset as ds
from deltalake import DeltaTable

from bench.contenders.registry import CONTENDERS, Contender
from bench.figures import differences
from bench.recount import Expected, counts_in_topic
from check import run_check
from check.expectations import EXPECTATIONS
from contract.kafka.log_offsets import end_offsets
from contract.kafka.sending import send_records
from contract.lake import CAMERA, QUARANTINE, table_location
from contract.progress import QueryProgress
from contract.queries import BATCHED_FROM_NEST_LOGS, Query
from contract.settings import Settings
from contract.topics import PIPELINE_PROGRESS
from pipeline.schema import QUARANTINE_SCHEMA, arrow_struct

_COUNT_LINES = {each.what for each in EXPECTATIONS if each.stage in (Query.STATS, Query.SIGHTINGS)}
"""The lines of the check that are about counts."""


def output_errors(name: str, settings: Settings, expected: Expected) -> list[str]:
    """Compare counts and the number of archived rows with the recount; return what differs."""
    contender, errors = CONTENDERS[name], []
    if contender.counts:
        counts = expected.row_counts if contender.counts == "rows" else expected.sighting_counts
        errors.append(differences(counts, counts_in_topic(settings)))
    rows = archived_rows(contender, settings)
    if rows is not None and rows != expected.cameras:
        errors.append(f"{rows:,} archived rows, expected {expected.cameras:,}")
    return [error for error in errors if error]


def check_errors(name: str, settings: Settings) -> list[str]:
    """Run the check on a contender's Delta table and counts; return what does not hold.

    The check needs progress records and a quarantine. A contender that does not write them gets
    records that say it has read everything, and an empty quarantine. Counts are left out for a
    contender that does not count.
    """
    contender = CONTENDERS[name]
    if contender.archive != "delta":
        return []
    if not contender.publishes_progress:
        _publish_end_offsets(settings)
    if not contender.has_quarantine:
        _create_empty_quarantine(settings)
    verdict = run_check(settings)
    judged = [
        each for each in verdict.comparisons if contender.counts or each.what not in _COUNT_LINES
    ]
    if not judged:
        return ["the check compared nothing"]
    return [
        f"check: {each.what}: expected {each.expected}, found {each.found}"
        for each in judged
        if not each.holds
    ]


def archived_rows(contender: Contender, settings: Settings) -> int | None:
    """Return how many rows readers of the table ``camera`` find; None if there is no such table."""
    camera = _camera(contender, settings)
    return None if camera is None else int(camera.count_rows())


def distinct_rows(contender: Contender, settings: Settings) -> int:
    """Return how many different cameras of records the table ``camera`` holds."""
    camera, key = _camera(contender, settings), ["partition", "offset", "device_id"]
    return 0 if camera is None else int(camera.to_table(key).group_by(key).aggregate([]).num_rows)


def _camera(contender: Contender, settings: Settings) -> ds.Dataset | None:
    table = table_location(settings.lake, CAMERA)
    if contender.archive == "delta":
        return DeltaTable(table).to_pyarrow_dataset()
    if contender.archive == "parquet":
        return ds.dataset(table, exclude_invalid_files=False)
    return None


def _publish_end_offsets(settings: Settings) -> None:
    ends = end_offsets(settings.bootstrap_servers)
    records = [
        QueryProgress(query, "stopped", "1970-01-01T00:00:00Z", 0, end_offsets=ends).encode()
        for query in BATCHED_FROM_NEST_LOGS
    ]
    send_records(settings.kafka, PIPELINE_PROGRESS.name, records)


def _create_empty_quarantine(settings: Settings) -> None:
    """Create the table without rows, which is right because the messages have no dirt."""
    DeltaTable.create(
        table_location(settings.lake, QUARANTINE), pa.schema(list(arrow_struct(QUARANTINE_SCHEMA)))
    )
