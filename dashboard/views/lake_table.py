"""One table on the page Lake: its size, compactions and history."""

from collections.abc import Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

import pandas as pd
import streamlit as st

from contract.delta_commits import Commit, compactions
from contract.glossary import meaning
from contract.lake import CAMERA, CAMERA_STATUS, QUARANTINE
from contract.quantities import format_quantity
from dashboard.data.formatting import format_age, format_bytes, format_number, format_time
from dashboard.data.lake.tables import TableView
from dashboard.widgets.metric_row import Metric, metric_row
from dashboard.widgets.notices import show_verbatim
from dashboard.widgets.table_columns import number_column, table_height, time_column

TERMS = {CAMERA: "archive", QUARANTINE: "quarantine", CAMERA_STATUS: "camera_status"}
"""What each table is, as the glossary calls it."""
MAX_COMMITS = 200
MAX_COMPACTIONS = 5
HEIGHT = 300


def lake_table(table: TableView, now: datetime, zone: ZoneInfo) -> None:
    """Show how large a table is and what its commits did."""
    size = table.size
    newest = next(iter(table.commits.values()), None)
    help_text = meaning(TERMS[table.name]) if table.name in TERMS else None
    st.header(f"`{table.name}`", anchor=False, help=help_text)
    metric_row(
        [
            Metric("Version", format_number(size.version), meaning("version")),
            Metric("Rows", "unknown" if size.rows is None else format_number(size.rows)),
            Metric("Files", format_number(size.files)),
            Metric("Size", format_bytes(size.total_bytes)),
            Metric(
                "Median file size", format_bytes(size.median_file_bytes), meaning("small files")
            ),
            Metric("Last commit", format_age(now - newest.time) if newest else "unknown"),
        ],
        f"table {table.name}",
    )
    if table.history_problem:
        st.warning(
            "The history cannot be read, because one of the table's commits is damaged. The "
            "numbers above are right all the same.",
            icon=":material/history_toggle_off:",
        )
        with st.expander("Details", key=f"problem of {table.name}"):
            show_verbatim(table.history_problem)
        return
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


def commits_frame(commits: Sequence[Commit]) -> pd.DataFrame:
    """Return the commits as a table with the fields of ``Commit``, in their order."""
    frame = pd.DataFrame(commits, columns=Commit._fields)
    for name in ("rows", "files_added", "files_removed", "bytes_added", "bytes_removed"):
        frame[name] = frame[name].astype("Int64")
    return frame


def commit_table(table: TableView, zone: ZoneInfo) -> None:
    """Show the newest commits."""
    frame = in_kilobytes(commits_frame(list(table.commits.values())[:MAX_COMMITS]))
    st.dataframe(
        frame,
        height=table_height(len(frame), HEIGHT),
        hide_index=True,
        key=f"history {table.name}",
        placeholder="",
        alt=f"The newest commits of the table {table.name}",
        column_config={
            "version": number_column("Version"),
            "time": time_column("Time", zone),
            "operation": "Operation",
            "rows": number_column("Rows written"),
            "files_added": number_column("Files added"),
            "files_removed": number_column("Files removed"),
            "kilobytes_added": number_column("Added, kB"),
            "kilobytes_removed": number_column("Removed, kB"),
        },
    )
    if len(table.commits) > MAX_COMMITS:
        st.caption(f"The table has the newest {MAX_COMMITS} commits.")


def in_kilobytes(commits: pd.DataFrame) -> pd.DataFrame:
    """Return commits with bytes in kB, to one decimal: the unit of all the page's sizes."""
    sizes = {
        f"kilo{name}": (commits[name].astype("Float64") / 1000).round(1)
        for name in ("bytes_added", "bytes_removed")
    }
    return commits.drop(columns=["bytes_added", "bytes_removed"]).assign(**sizes)
