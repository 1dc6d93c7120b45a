"""The queries on the table camera, run to the end of what it has."""

from pathlib import Path
from typing import Any

from deltalake import DeltaTable
from pyspark.sql import SparkSession

from contract.settings import Settings
from pipeline.queries.query_module import QueryModule
from tests.sample.lake import append_cameras


def append(settings: Settings, *rows: dict[str, Any]) -> None:
    """Append rows to camera, as the archive does, in one commit."""
    append_cameras(Path(settings.lake), *rows)


def run_query_to_end(spark: SparkSession, settings: Settings, query: QueryModule) -> None:
    """Start a query from its checkpoint and let it read to the end of its table."""
    query.start(spark, settings, once=True).awaitTermination()


def states(settings: Settings) -> dict[str, tuple[int, bool]]:
    """Return by device_id the offset and is_online of camera_status; fails where one is doubled."""
    rows = DeltaTable(f"{settings.lake}/camera_status").to_pyarrow_table().to_pylist()
    found = {row["device_id"]: (row["offset"], row["is_online"]) for row in rows}
    assert len(found) == len(rows)
    return found


def uncommit_last_batch(settings: Settings, query: str) -> None:
    """Leave the newest batch as a kill does that comes before its commit: it runs again."""
    commits = Path(f"{settings.checkpoints}/{query}/commits")
    newest = max(int(path.name) for path in commits.glob("[0-9]*"))
    for path in (commits / str(newest), commits / f".{newest}.crc"):
        path.unlink(missing_ok=True)
