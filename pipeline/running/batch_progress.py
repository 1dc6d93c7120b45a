"""Spark's report of a finished micro-batch: as the progress that is published, and as a line."""

import json
from collections.abc import Mapping
from typing import Any

from contract.progress import QueryProgress
from contract.quantities import format_quantity
from contract.topics import NEST_LOGS
from pipeline.lake.table_offset import TableOffset


def to_query_progress(progress: dict[str, Any]) -> QueryProgress:
    """Pick from Spark's progress report what the dashboard and the check need."""
    source = progress["sources"][0]
    start, end = _offsets(source, "startOffset"), _offsets(source, "endOffset")
    log_end = _offsets(source, "latestOffset")
    state = progress.get("stateOperators", [])
    table = table_offset(source)
    return QueryProgress(
        query=progress["name"],
        state="running",
        timestamp=progress["timestamp"],
        batch_id=progress["batchId"],
        input_rows=source.get("numInputRows", 0) if table else _batch_records(source, start, end),
        batch_duration_ms=progress.get("batchDuration", 0),
        state_rows=sum(operator["numRowsTotal"] for operator in state),
        rows_dropped_by_watermark=sum(o["numRowsDroppedByWatermark"] for o in state),
        watermark=progress.get("eventTime", {}).get("watermark"),
        offset_lag=sum(max(0, last - end.get(number, 0)) for number, last in log_end.items()),
        end_offsets=end,
        log_end_offsets=log_end,
        table=table and table.table,
        table_id=table and table.table_id,
        end_version=table.complete_version if table else -1,
        query_id=str(progress["id"]),
    )


def table_offset(source: Mapping[str, Any]) -> TableOffset | None:
    """Return the end of a micro-batch in a source as Spark reports it; None if that is no table."""
    offset = source.get("endOffset")
    if isinstance(offset, str):
        offset = json.loads(offset)
    if not isinstance(offset, dict) or "reservoirVersion" not in offset:
        return None
    name = source["description"].rstrip("]").rstrip("/").rsplit("/", 1)[-1]
    return TableOffset.of(name, offset)


def progress_line(progress: QueryProgress) -> str:
    """Return the progress as one line for people."""
    rows, left = format_quantity(progress.input_rows, "message"), f"{progress.offset_lag:,} behind"
    if progress.table:
        rows = f"{format_quantity(progress.input_rows, 'row')} of {progress.table}"
        size = (
            f" ({progress.bytes_outstanding / 1000:,.0f} kB)" if progress.files_outstanding else ""
        )
        left = f"{format_quantity(progress.files_outstanding, 'file')}{size} behind"
    parts = [
        f"{progress.query:14}batch {progress.batch_id}",
        f"{rows} in {progress.batch_duration_ms / 1000:.1f} s",
        left,
    ]
    if progress.state_rows:
        parts.append(f"{format_quantity(progress.state_rows, 'row')} of state")
    return ", ".join(parts)


def _batch_records(source: dict[str, Any], start: Mapping[int, int], end: Mapping[int, int]) -> int:
    """Return how many records of Kafka a batch has, at most.

    Spark's own number counts a record again for each pass over its batch, and the first batch of a
    query has no start, although it may begin late in the topic.
    """
    between = sum(end.values()) - sum(start.get(number, 0) for number in end)
    return between if start else min(between, source.get("numInputRows", between))


def _offsets(source: dict[str, Any], side: str) -> dict[int, int]:
    """Return the offsets by partition; none before a query's first batch."""
    offsets = source.get(side) or {}
    if isinstance(offsets, str):
        offsets = json.loads(offsets)
    return {int(number): offset for number, offset in offsets.get(NEST_LOGS.name, {}).items()}
