"""A table of the lake as it was at a version or a time."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pandas as pd
import streamlit as st

from contract.errors import UserError
from contract.redaction import redact_text
from dashboard import sources
from dashboard.data.formatting import clock, counted, number, plain, size, zone_named
from dashboard.data.lake.tables import TableAt, TableView, table_at, version_at
from dashboard.widgets import table_columns
from dashboard.widgets.notices import say_verbatim

HEIGHT = 320


def time_travel(names: list[str]) -> None:
    """Let the viewer look at a table as it was."""
    known = sources.lake().read().value
    if known is None:
        return
    zone = zone_named(st.context.timezone)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        name = st.selectbox("Table", names, key="table", bind="query-params", width=180)
        by = st.segmented_control(
            "As of",
            ["version", "time"],
            default="version",
            required=True,
            key="by",
            bind="query-params",
            width="content",
        )
        table = known.tables[name]
        newest = table.extent.version
        if by == "time":
            local = st.datetime_input(
                f"Time, {zone.key}",
                value=datetime.now(zone).replace(tzinfo=None, second=0, microsecond=0),
                key="at",
                step=60,
                width=220,
            )
            version = version_at(table.commits, local.replace(tzinfo=zone).astimezone(UTC))
        else:
            version = st.number_input(
                f"Version, 0 to {number(newest)}",
                min_value=0,
                value=newest,
                key="version",
                width=180,
            )
    if version is None:
        st.info("The table had no version then, or one older than the history that is shown.")
        return
    try:
        found = as_of(sources.settings().lake, name, int(version))
    except UserError as error:
        st.warning(
            "This version cannot be read. It may not exist yet, or its log or files have been "
            "cleaned away.",
            icon=":material/history_toggle_off:",
        )
        say_verbatim(redact_text(str(error)))
        return
    show_past(table, found, zone)


@st.cache_data(show_spinner="Reading the table …", max_entries=20)
def as_of(root: str, name: str, version: int) -> TableAt:
    """Look at a version once: it never changes."""
    return table_at(root, name, version)


def show_past(table: TableView, found: TableAt, zone: ZoneInfo) -> None:
    """Show a table as it was, and what has come since."""
    then, now = found.extent, table.extent
    commit = table.commits.get(then.version)
    when = f", {clock(commit.moment, zone)}: {plain(commit.operation)}" if commit else ""
    st.markdown(f"**Version {number(then.version)}**{when}")
    known = then.rows is not None and now.rows is not None
    figures = {
        "Rows": (
            "unknown" if then.rows is None else number(then.rows),
            f"{now.rows - then.rows:+,} since" if known else None,  # type: ignore[operator]
        ),
        "Files": (number(then.files), f"{now.files - then.files:+,} since"),
        "Size": (size(then.octets), f"{size(now.octets)} now"),
        "Middle file": (size(then.median), f"{size(now.median)} now"),
    }
    with st.container(horizontal=True):
        for label, (figure, delta) in figures.items():
            st.metric(label, figure, delta=delta, delta_color="off", delta_arrow="off", width=170)
    if found.rows.empty:
        st.caption("It had no rows.")
        return
    st.dataframe(
        in_zone(found.rows, zone),
        height=table_columns.height(len(found.rows), 320),
        hide_index=True,
        key="rows then",
    )
    st.caption(
        f"The newest {counted(len(found.rows), 'row')} of that version, times in {zone.key}."
    )


def in_zone(rows: pd.DataFrame, zone: ZoneInfo) -> pd.DataFrame:
    """Return rows with their times in the viewer's zone and nested values as text."""
    shown = rows.copy()
    for column in shown:
        values = shown[column]
        if isinstance(values.dtype, pd.DatetimeTZDtype):
            shown[column] = values.dt.tz_convert(zone)
        elif values.map(lambda value: isinstance(value, dict | list)).any():
            shown[column] = values.map(str)
    first = [name for name in ("device_id", "timestamp", "partition", "offset") if name in shown]
    return shown[[*first, *(name for name in shown if name not in first)]]
