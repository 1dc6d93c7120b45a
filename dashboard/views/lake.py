"""The lake's tables: how large, what was done to them, how they were, what is in quarantine."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import streamlit as st

from contract.redaction import redact_url
from dashboard import sources
from dashboard.data.formatting import ago, clock, counted, number, plain, size, zone_named
from dashboard.data.lake.commits import Commit, as_frame, compactions
from dashboard.data.lake.tables import TableView
from dashboard.views.quarantine import quarantine
from dashboard.views.time_travel import time_travel
from dashboard.widgets import table_columns
from dashboard.widgets.notices import SILENCE_OF_LAKE, say_whether_known

REFRESH = 3
SHOWN_COMMITS = 200
SHOWN_COMPACTIONS = 5


def lake_page() -> None:
    """Show the page; only its numbers are drawn again on a refresh."""
    st.title("The lake, version by version", anchor=False)
    tables = sources.lake().read().value
    names = list(tables.tables) if tables else []
    now_tab, then_tab, quarantine_tab = st.tabs(
        ["Tables and history", "As of a version or time", "Quarantine"],
        key="tab",
        on_change="rerun",
        bind="query-params",
    )
    with now_tab:
        present(names)
    with then_tab:
        if names:
            time_travel(names)
    with quarantine_tab:
        quarantine()


@st.fragment(run_every=REFRESH)
def present(offered: list[str]) -> None:
    """Show the tables as they are now; ``offered`` are those that can be seen as they were."""
    known = sources.lake().read()
    now = datetime.now(UTC)
    zone = zone_named(st.context.timezone)
    with st.container():
        say_whether_known(known, now, "the lake", SILENCE_OF_LAKE)
    if known.value is None:
        return
    if list(known.value.tables) != offered:
        st.rerun()
    for table in known.value.tables.values():
        show_table(table, now, zone)
    if known.heard:
        st.caption(
            f"The lake is {plain(redact_url(sources.settings().lake))}. Last read at "
            f"{clock(known.heard, zone)}. Times are in {zone.key}. Rows, files and sizes are those "
            "of the table's log; no data is read for them."
        )


def show_table(table: TableView, now: datetime, zone: ZoneInfo) -> None:
    """Show how large a table is and what was done to it."""
    extent = table.extent
    st.subheader(f"`{table.name}`", anchor=False)
    newest = next(iter(table.commits.values()), None)
    figures = {
        "Version": number(extent.version),
        "Rows": "unknown" if extent.rows is None else number(extent.rows),
        "Files": number(extent.files),
        "Size": size(extent.octets),
        "Middle file": size(extent.median),
        "Last commit": ago(now - newest.moment) if newest else "unknown",
    }
    with st.container(horizontal=True):
        for label, figure in figures.items():
            st.metric(label, figure, width=150)
    for commit in compactions(table.commits)[:SHOWN_COMPACTIONS]:
        st.success(compaction(commit, zone), icon=":material/compress:")
    title = f"History: {counted(len(table.commits), 'commit')}"
    with st.expander(title, expanded=True, key=f"open {table.name}"):
        show_history(table, zone)


def compaction(commit: Commit, zone: ZoneInfo) -> str:
    """Say what putting small files together has brought."""
    before, after = commit.files_removed or 0, commit.files_added or 0
    text = (
        f"**Version {number(commit.version)} put {counted(before, 'file')} together to "
        f"{number(after)}**, {clock(commit.moment, zone)}."
    )
    if commit.bytes_removed and commit.bytes_added:
        text += (
            f" {size(commit.bytes_removed)} became {size(commit.bytes_added)}; a file was "
            f"{size(commit.bytes_removed / max(before, 1))} on average and is "
            f"{size(commit.bytes_added / max(after, 1))}."
        )
    return text


def show_history(table: TableView, zone: ZoneInfo) -> None:
    """Show the newest commits."""
    frame = as_frame(dict(list(table.commits.items())[:SHOWN_COMMITS]))

    st.dataframe(
        frame,
        height=table_columns.height(len(frame), 300),
        hide_index=True,
        key=f"history {table.name}",
        column_config={
            "version": table_columns.numbers("Version"),
            "moment": table_columns.moments("When", zone),
            "operation": "What",
            "rows": table_columns.numbers("Rows written"),
            "files_added": table_columns.numbers("Files added"),
            "files_removed": table_columns.numbers("Files removed"),
            "bytes_added": table_columns.numbers("Bytes added", "bytes"),
            "bytes_removed": table_columns.numbers("Bytes removed", "bytes"),
        },
    )
    if len(table.commits) > SHOWN_COMMITS:
        st.caption(f"The newest {SHOWN_COMMITS}.")
