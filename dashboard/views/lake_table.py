"""One table on the page Lake: its size, compactions and history."""

from datetime import datetime
from zoneinfo import ZoneInfo

import streamlit as st

from dashboard.data.formatting import (
    format_age,
    format_bytes,
    format_number,
    format_quantity,
    format_time,
)
from dashboard.data.lake.commits import Commit, commits_frame, compactions
from dashboard.data.lake.tables import TableView
from dashboard.widgets.metric_row import Metric, metric_row
from dashboard.widgets.table_columns import number_column, table_height, time_column

MAX_COMMITS = 200
MAX_COMPACTIONS = 5
HEIGHT = 300


def lake_table(table: TableView, now: datetime, zone: ZoneInfo) -> None:
    """Show how large a table is and what its commits did."""
    size = table.size
    newest = next(iter(table.commits.values()), None)
    st.subheader(f"`{table.name}`", anchor=False)
    metric_row(
        [
            Metric("Version", format_number(size.version)),
            Metric("Rows", "unknown" if size.rows is None else format_number(size.rows)),
            Metric("Files", format_number(size.files)),
            Metric("Size", format_bytes(size.total_bytes)),
            Metric("Median file size", format_bytes(size.median_file_bytes)),
            Metric("Last commit", format_age(now - newest.time) if newest else "unknown"),
        ],
        width=150,
    )
    for commit in compactions(table.commits)[:MAX_COMPACTIONS]:
        st.success(compaction_text(commit, zone), icon=":material/compress:")
    title = f"History: {format_quantity(len(table.commits), 'commit')}"
    with st.expander(title, expanded=True, key=f"open {table.name}"):
        commit_table(table, zone)


def compaction_text(commit: Commit, zone: ZoneInfo) -> str:
    """Return how many files a compaction replaced, and how sizes changed."""
    removed, added = commit.files_removed or 0, commit.files_added or 0
    text = (
        f"**Version {format_number(commit.version)} compacted "
        f"{format_quantity(removed, 'file')} into {format_number(added)}**, "
        f"{format_time(commit.time, zone)}."
    )
    if commit.bytes_removed and commit.bytes_added:
        old_size = commit.bytes_removed / max(removed, 1)
        new_size = commit.bytes_added / max(added, 1)
        text += (
            f" Total size: {format_bytes(commit.bytes_removed)} before, "
            f"{format_bytes(commit.bytes_added)} after. Mean file size: "
            f"{format_bytes(old_size)} before, {format_bytes(new_size)} after."
        )
    return text


def commit_table(table: TableView, zone: ZoneInfo) -> None:
    """Show the newest commits."""
    frame = commits_frame(dict(list(table.commits.items())[:MAX_COMMITS]))
    st.dataframe(
        frame,
        height=table_height(len(frame), HEIGHT),
        hide_index=True,
        key=f"history {table.name}",
        column_config={
            "version": number_column("Version"),
            "time": time_column("Time", zone),
            "operation": "Operation",
            "rows": number_column("Rows written"),
            "files_added": number_column("Files added"),
            "files_removed": number_column("Files removed"),
            "bytes_added": number_column("Bytes added", "bytes"),
            "bytes_removed": number_column("Bytes removed", "bytes"),
        },
    )
    if len(table.commits) > MAX_COMMITS:
        st.caption(f"The table has the newest {MAX_COMMITS} commits.")
