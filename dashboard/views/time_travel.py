"""Time travel: a table of the lake as of a version or a time."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import streamlit as st

from contract.delta_commits import version_at
from contract.errors import UserError
from contract.glossary import meaning
from contract.quantities import format_quantity
from contract.redaction import redact_text
from dashboard import sources
from dashboard.data.formatting import escape_markdown, format_bytes, format_number, format_time
from dashboard.data.lake.table_version import TableVersion, read_version
from dashboard.data.lake.tables import LakeView, TableView
from dashboard.data.query_values import INSTANT, WHOLE_NUMBER, instant, whole_number
from dashboard.widgets.metric_row import Metric, metric_row
from dashboard.widgets.notices import show_verbatim
from dashboard.widgets.query_params import (
    follow_history,
    initial_param,
    set_param,
    show_unusable_choice,
    show_unusable_param,
)
from dashboard.widgets.selection_controls import select_instant
from dashboard.widgets.table_columns import TABLE_HEIGHT, table_height
from dashboard.widgets.table_rows import table_rows
from dashboard.widgets.viewer import viewer_time_zone

_VERSION, _TIME = "version", "time"
_MINUTE = timedelta(minutes=1)


def time_travel(lake: LakeView) -> None:
    """Show a table of the lake as of a version or time that the viewer chooses."""
    names = list(lake.tables)
    zone = viewer_time_zone()
    for param in ("table", "by"):  # as they are before a control takes out what it does not know
        initial_param(param)
    with st.container(horizontal=True, vertical_alignment="bottom", key="controls version"):
        name = st.selectbox("Table", names, key="table", bind="query-params", width=180)
        table = lake.tables[name]
        version = choose_version(table, zone)
    show_unusable_choice("table", names)
    show_unusable_choice("by", [_VERSION, _TIME], "choice of version or time")
    show_unusable_param("version", WHOLE_NUMBER, whole_number(initial_param("version")) is not None)
    show_unusable_param("at", INSTANT, instant(initial_param("at")) is not None, "time")
    if version is None:
        st.info("At that time the table had no version, or one that is not in its history.")
        return
    if version > table.size.version:
        st.info(
            "This version cannot be read, because the table's newest version is "
            f"{format_number(table.size.version)}."
        )
        return
    try:
        past = cached_version(sources.settings().lake, name, table.table_id, version)
    except UserError as error:
        st.warning(
            "This version cannot be read. It does not exist, or its log entries or files have "
            "been removed by retention or VACUUM.",
            icon=":material/history_toggle_off:",
        )
        with st.expander("Details"):
            show_verbatim(redact_text(str(error)))
        return
    show_version(table, past, zone)


def choose_version(table: TableView, zone: ZoneInfo) -> int | None:
    """Let the viewer choose a version or a time; None if there was no version at that time."""
    by = st.segmented_control(
        "As of",
        [_VERSION, _TIME],
        default=_VERSION,
        required=True,
        key="by",
        bind="query-params",
        width="content",
        help=meaning("time travel"),
    )
    if by == _TIME:
        now = datetime.now(UTC).replace(second=0, microsecond=0)
        # The default must not move while the page is open.
        arrival = st.session_state.setdefault("minute of arrival", now)
        return version_at(table.commits, select_instant("at", "Time", arrival, zone, _MINUTE))
    newest = st.session_state.setdefault(f"version of {table.name} at arrival", table.size.version)
    chosen = whole_number(st.query_params.get("version", ""))
    follow_history("version", newest if chosen is None else chosen)
    initial = whole_number(initial_param("version"))
    version = st.number_input(
        f"Version, 0 to {format_number(table.size.version)}",
        min_value=0,
        value=newest if initial is None else initial,
        key="version",
        width=180,
    )
    set_param("version", None if version == newest else version)
    return version


@st.cache_data(show_spinner="Reading the table …", max_entries=20)
def cached_version(root: str, name: str, table_id: str, version: int) -> TableVersion:
    """Read a version once, since it never changes.

    A table that was recreated has another ``table_id``, and versions of its own.
    """
    return read_version(root, name, version)


def show_version(table: TableView, past: TableVersion, zone: ZoneInfo) -> None:
    """Show a table as of a version, compared with now."""
    then, now = past.size, table.size
    commit = table.commits.get(then.version)
    origin = (
        f", {format_time(commit.time, zone)}: {escape_markdown(commit.operation)}" if commit else ""
    )
    st.markdown(f"**Version {format_number(then.version)}**{origin}")
    new_rows = None if then.rows is None or now.rows is None else now.rows - then.rows
    metric_row(
        [
            Metric(
                "Rows",
                "unknown" if then.rows is None else format_number(then.rows),
                delta=None if new_rows is None else f"{new_rows:+,} since then",
            ),
            Metric(
                "Files", format_number(then.files), delta=f"{now.files - then.files:+,} since then"
            ),
            Metric(
                "Size",
                format_bytes(then.total_bytes),
                delta=f"{format_bytes(now.total_bytes)} now",
            ),
            Metric(
                "Median file size",
                format_bytes(then.median_file_bytes),
                delta=f"{format_bytes(now.median_file_bytes)} now",
            ),
        ],
        "version",
        shows_arrows=False,
    )
    if past.rows.empty:
        st.caption("This version has no rows.")
        return
    st.dataframe(
        table_rows(past.rows, zone),
        height=table_height(len(past.rows), TABLE_HEIGHT),
        hide_index=True,
        placeholder="",
        alt="The newest rows of the version",
        key="rows of version",
    )
    st.caption(
        f"The newest {format_quantity(len(past.rows), 'row')} of this version. "
        f"Times are in {zone.key}."
    )
