"""What became of one message in the lake: its rows in the archive and in quarantine."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NamedTuple

import pandas as pd
import pyarrow as pa

from contract.instants import add_within_calendar
from contract.lake import CAMERA, QUARANTINE, table_location
from dashboard.data.lake.delta_table import (
    explain_read_errors,
    open_table,
    query,
    sent_between,
    table_rows,
)
from dashboard.data.message import Position

_AT_POSITION = 'SELECT * FROM data WHERE "partition" = $partition AND "offset" = $offset'
_PERSON_EVENTS = """
    SELECT DISTINCT device_id, last_event.start_time AS start_time
    FROM data WHERE last_event.has_person AND last_event.start_time IS NOT NULL
    ORDER BY start_time, device_id
"""
# A message that was held back comes later than its timestamp, so within a partition the offset
# tells what came first. A camera whose home has one key has all its messages in one partition.
_FIRST_REPORTS = """
    WITH of_partition AS (
        SELECT device_id, last_event.start_time AS start_time, "partition",
            min("offset") AS "offset", arg_min(timestamp, "offset") AS sent_at
        FROM data
        WHERE list_contains($device_ids, device_id) AND last_event.has_person
            AND timestamp >= last_event.start_time - $clock_skew
            AND timestamp <= last_event.start_time + $lateness
        GROUP BY ALL
    )
    SELECT device_id, start_time,
        first("partition" ORDER BY sent_at, "partition") AS "partition",
        first("offset" ORDER BY sent_at, "partition") AS "offset"
    FROM of_partition GROUP BY ALL
"""


class PersonEvent(NamedTuple):
    """A person event that a message reports, and where its first report on time is."""

    device_id: str
    start_time: datetime
    """UTC."""
    first_report: Position | None
    """None where no report of it was on time, so that no count has it."""


@dataclass(frozen=True)
class ArchivedMessage:
    """The rows of one message, in ``camera`` and in ``quarantine``, with all their columns."""

    rows: pd.DataFrame
    quarantined: pd.DataFrame
    person_events: list[PersonEvent]


def read_archived_message(
    root: str, position: Position, *, lateness: timedelta, clock_skew: timedelta
) -> ArchivedMessage:
    """Read the rows of a message; UserError if a table cannot be read.

    A report of an event is on time from ``clock_skew`` before its start to ``lateness`` after it.
    """
    rows = _rows_at(root, CAMERA, position)
    events = query(rows, _PERSON_EVENTS).to_pylist() if rows else []
    first_reports: dict[tuple[str, datetime], Position] = {}
    table = open_table(root, CAMERA)
    if table and events:
        starts = [each["start_time"] for each in events]
        on_time = sent_between(
            add_within_calendar(starts[0], -clock_skew), add_within_calendar(starts[-1], lateness)
        )
        with explain_read_errors(table_location(root, CAMERA)):
            found = query(
                table_rows(table, on_time),
                _FIRST_REPORTS,
                device_ids=[each["device_id"] for each in events],
                lateness=lateness,
                clock_skew=clock_skew,
            )
        for each in found.to_pylist():
            first = Position(each["partition"], each["offset"])
            first_reports[each["device_id"], each["start_time"]] = first
    return ArchivedMessage(
        _frame(rows),
        _frame(_rows_at(root, QUARANTINE, position)),
        [
            PersonEvent(*key, first_reports.get(key))
            for key in ((each["device_id"], each["start_time"]) for each in events)
        ],
    )


def _rows_at(root: str, name: str, position: Position) -> pa.Table | None:
    """Return the rows of a table that come from a position; None where there is no such table."""
    table = open_table(root, name)
    if table is None:
        return None
    partition, offset = position
    with explain_read_errors(table_location(root, name)):
        rows = table_rows(table, f'"partition" = {partition} AND "offset" = {offset}')
        return query(rows, _AT_POSITION, partition=partition, offset=offset)


def _frame(rows: pa.Table | None) -> pd.DataFrame:
    return pd.DataFrame() if rows is None else rows.to_pandas()
