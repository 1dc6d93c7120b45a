"""A small lake as the pipeline leaves it, written without Spark."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pyarrow as pa
from deltalake import write_deltalake

from pipeline.schema import QUARANTINE_SCHEMA, arrow_struct, camera_table_schema

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
_STATISTICS = {"delta.dataSkippingStatsColumns": "partition,offset,timestamp,device_id"}


CAMERA = pa.schema(list(arrow_struct(camera_table_schema())))
QUARANTINED = pa.schema(list(arrow_struct(QUARANTINE_SCHEMA)))


def after_noon(minutes: float) -> datetime:
    """An instant so many minutes after noon, UTC."""
    return NOON + timedelta(minutes=minutes)


def camera(device_id: str, minutes: float, *, online: bool = True, **fields: Any) -> dict[str, Any]:
    """A row of a message sent so many minutes after noon; the state changed 30 minutes before."""
    return {
        "device_id": device_id,
        "name_long": f"{device_id} Camera",
        "structure_id": f"home of {device_id}",
        "is_online": online,
        "last_is_online_change": after_noon(minutes - 30),
        "partition": 0,
        "offset": int(minutes * 10) + 1_000_000,
        "timestamp": after_noon(minutes),
        **fields,
    }


def event(minutes: float, **fields: Any) -> dict[str, Any]:
    """An event that started so many minutes after noon, in which a person was seen."""
    return {"has_person": True, "has_motion": True, "start_time": after_noon(minutes), **fields}


def rejected(
    reason: str, minutes: float, raw: str | None = "{", detail: str = ""
) -> dict[str, Any]:
    """A row of the quarantine, of a record sent so many minutes after noon."""
    return {
        "partition": 1,
        "offset": int(minutes * 10) + 1_000_000,
        "timestamp": after_noon(minutes),
        "reason": reason,
        "detail": detail,
        "raw": raw,
    }


def append_cameras(root: Path, *rows: dict[str, Any]) -> None:
    """Append rows to the table camera, in one commit and file."""
    _append(root / "camera", rows, CAMERA)


def append_status(root: Path, *rows: dict[str, Any]) -> None:
    """Append rows to the table camera_status, in one commit and file."""
    _append(root / "camera_status", rows, CAMERA)


def replace_status(root: Path, *rows: dict[str, Any]) -> None:
    """Replace the rows of camera_status, as a MERGE does that touches all of them."""
    table = pa.Table.from_pylist(list(rows), schema=CAMERA)
    write_deltalake(root / "camera_status", table, mode="overwrite")


def append_quarantine(root: Path, *rows: dict[str, Any]) -> None:
    """Append rows to the table quarantine, in one commit and file."""
    _append(root / "quarantine", rows, QUARANTINED)


def _append(path: Path, rows: tuple[dict[str, Any], ...], schema: pa.Schema) -> None:
    table = pa.Table.from_pylist(list(rows), schema=schema)
    write_deltalake(path, table, mode="append", configuration=_STATISTICS)
