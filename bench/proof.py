"""Whether a contender has done the job: its counts, its rows, and once the project's own check."""

import pyarrow as pa
import pyarrow.dataset as ds
from deltalake import DeltaTable
from kafka import KafkaProducer

from bench.figures import differences
from bench.recount import Expected, counts_in_topic
from check import run_check
from contract.progress import QueryProgress
from contract.queries import QUERIES
from contract.settings import Settings
from contract.topics import PIPELINE_PROGRESS
from demo.stack.offsets import end_offsets
from pipeline.schema import QUARANTINE, arrow_struct

COUNTING = {"published", "stats", "both", "by_hand", "vectorised"}
ARCHIVING = {"archive", "both", "by_hand", "vectorised"}
"""Those with the Delta table; that of ``published`` is Parquet."""


def wrong_with(name: str, settings: Settings, expected: Expected) -> list[str]:
    """Compare the counts and the number of archived rows with the recount."""
    wrong = []
    if name in COUNTING:
        counts = expected.rows if name == "published" else expected.sightings
        wrong.append(differences(counts, counts_in_topic(settings)))
    rows = _archived(name, settings)
    if rows is not None and rows != expected.cameras:
        wrong.append(f"{rows:,} archived rows, expected {expected.cameras:,}")
    return [each for each in wrong if each]


def failed_check(name: str, settings: Settings) -> list[str]:
    """Run the check on what a contender has left; return what does not hold.

    A contender that publishes no offsets is taken to have read all; what is not its job is not
    asked of it.
    """
    if name not in ARCHIVING:
        return []
    if name != "both":
        _say_all_is_read(settings)
        if name != "archive":
            _make_quarantine(settings)
    verdict = run_check(settings)
    judged = [
        each
        for each in verdict.comparisons
        if name in COUNTING or not each.what.startswith(("count", "sighting"))
    ]
    if not judged:
        return ["the check has compared nothing"]
    return [
        f"the check: {each.what}: expected {each.expected}, found {each.found}"
        for each in judged
        if not each.holds
    ]


def _archived(name: str, settings: Settings) -> int | None:
    table = f"{settings.lake}/camera"
    if name in ARCHIVING:
        return int(DeltaTable(table).to_pyarrow_dataset().count_rows())
    if name == "published":
        return int(ds.dataset(table, exclude_invalid_files=False).count_rows())
    return None


def _say_all_is_read(settings: Settings) -> None:
    ends = end_offsets(settings.bootstrap_servers)
    producer = KafkaProducer(bootstrap_servers=settings.bootstrap_servers.split(","))
    for query in QUERIES:
        progress = QueryProgress(query, "stopped", "1970-01-01T00:00:00Z", 0, end_offsets=ends)
        key, value = progress.encode()
        producer.send(PIPELINE_PROGRESS.name, key=key, value=value)
    producer.flush()
    producer.close()


def _make_quarantine(settings: Settings) -> None:
    """Make an empty table where a contender knows no quarantine: the world has no bad input."""
    DeltaTable.create(f"{settings.lake}/quarantine", pa.schema(list(arrow_struct(QUARANTINE))))
