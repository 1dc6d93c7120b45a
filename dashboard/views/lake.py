"""The lake's tables: how large, what was done to them, how they were, what is in quarantine."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pandas as pd
import streamlit as st

from contract.errors import UserError
from contract.redaction import redact_text, redact_url
from dashboard import columns, sources
from dashboard.figures import ago, clock, counted, number, plain, size, zone_named
from dashboard.lake.history import Commit, as_frame, compactions
from dashboard.lake.quarantine import QuarantineView
from dashboard.lake.tables import TableAt, TableView, table_at, version_at
from dashboard.notices import SILENCE_OF_LAKE, say_verbatim, say_whether_known

REFRESH = 3
SHOWN_COMMITS = 200
SHOWN_COMPACTIONS = 5
_REASONS = {
    "malformed": "not one JSON object of the right shape; nothing of it is archived",
    "camera": "a camera without device_id; its neighbours are archived",
    "field": "a field of a wrong type; null in the archive",
    "future": "an event from the future; archived, not counted",
}


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
        height=columns.height(len(frame), 300),
        hide_index=True,
        key=f"history {table.name}",
        column_config={
            "version": columns.numbers("Version"),
            "moment": columns.moments("When", zone),
            "operation": "What",
            "rows": columns.numbers("Rows written"),
            "files_added": columns.numbers("Files added"),
            "files_removed": columns.numbers("Files removed"),
            "bytes_added": columns.numbers("Bytes added", "bytes"),
            "bytes_removed": columns.numbers("Bytes removed", "bytes"),
        },
    )
    if len(table.commits) > SHOWN_COMMITS:
        st.caption(f"The newest {SHOWN_COMMITS}.")


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
        height=columns.height(len(found.rows), 320),
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


@st.fragment(run_every=REFRESH)
def quarantine() -> None:
    """Show why records are in quarantine and what the newest look like."""
    known = sources.lake().read().value
    if known is None:
        return
    view: QuarantineView = known.quarantine
    zone = zone_named(st.context.timezone)
    if not view.reasons:
        st.info("Nothing is in quarantine.", icon=":material/check_circle:")
        return
    with st.container(horizontal=True):
        for reason, records in view.reasons.items():
            st.metric(plain(reason), number(records), help=_REASONS.get(reason), width=170)
    for reason, samples in view.samples.items():
        st.subheader(plain(reason), anchor=False)
        if reason in _REASONS:
            st.caption(_REASONS[reason][0].upper() + _REASONS[reason][1:] + ".")
        for sample in samples:
            title = f"partition {sample.partition}, offset {number(sample.offset)}, "
            with st.expander(title + clock(sample.timestamp, zone)):
                say_verbatim(sample.detail)
                if sample.raw is None:
                    st.caption("The record had no value.")
                else:
                    say_verbatim(sample.raw or " ")
                    if sample.length > len(sample.raw):
                        st.caption(f"The beginning of {counted(sample.length, 'character')}.")
