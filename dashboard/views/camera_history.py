"""The events of one camera in the last 24 hours, as a chart and as a table."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pandas as pd
import streamlit as st

from contract.errors import UserError
from contract.quantities import format_quantity
from dashboard import sources
from dashboard.charts.camera_events import camera_events_chart
from dashboard.data.formatting import format_number
from dashboard.data.lake.camera_history import MAX_EVENTS, CameraHistory, read_camera_history
from dashboard.data.message import Position
from dashboard.refresh_intervals import LAKE_REFRESH_S
from dashboard.views.message_choice import open_message
from dashboard.widgets.clicks import clicked_row
from dashboard.widgets.notices import show_unreadable
from dashboard.widgets.table_columns import TABLE_HEIGHT, table_height, time_column
from dashboard.widgets.viewer import viewer_chart_theme, viewer_time_zone

_SPAN_COLUMNS = ["start", "end", "name"]


@st.fragment(run_every=LAKE_REFRESH_S)
def camera_history(device_id: str) -> None:
    """Show the events of one camera."""
    view = sources.cameras().read().value
    if view is None or view.newest is None:
        return
    rows = view.rows[view.rows["device_id"] == device_id]
    newest = rows["timestamp"].iloc[0] if len(rows) else view.newest
    try:
        history = cached_history(sources.settings().lake, device_id, newest)
    except UserError as error:
        show_unreadable("The camera's events", error)
        return
    if history.events.empty and rows.empty:
        st.info("No camera with this id has sent a message in the archive's last 24 hours.")
        return
    show_history(history, newest, view.newest, viewer_time_zone())


@st.cache_data(show_spinner="Reading the archive …", max_entries=50, ttl="10 minutes")
def cached_history(root: str, device_id: str, newest: datetime) -> CameraHistory:
    """Read a camera's events once per new message of the camera."""
    return read_camera_history(root, device_id, newest)


def show_history(
    history: CameraHistory, last_message: datetime, now: datetime, zone: ZoneInfo
) -> None:
    """Show the events on a time axis and as a table.

    ``last_message`` is the camera's, and ``now`` is when any camera has last sent one, UTC.
    """
    events = history.events
    if events.empty and not history.outages:
        st.info("This camera has no event in the archive's last 24 hours.")
        return
    until = max(now, last_message)
    offline, silent = state_spans(history, last_message, until)
    chart = camera_events_chart(
        events,
        offline=offline,
        silent=silent,
        span=(history.since, until),
        zone=zone,
        theme=viewer_chart_theme(),
    )
    with st.container(key="camera-chart"):
        st.vega_lite_chart(
            chart, key="events", alt="One camera's events, and when it was offline, by time"
        )
    show_events(events, zone)
    newest = "The newest " if len(events) >= MAX_EVENTS else ""
    others = (
        " Delta's statistics say that the others have no messages of that day."
        if history.files_read < history.files
        else ""
    )
    st.caption(
        f"{newest}{format_quantity(len(events), 'event')}. The page read "
        f"{format_number(history.files_read)} of {format_quantity(history.files, 'data file')}."
        f"{others} Choose a row to see the message that first reported it."
    )


def show_events(events: pd.DataFrame, zone: ZoneInfo) -> None:
    """Show the events as a table; a click on one opens the message that first reported it."""
    clicked = clicked_row(
        events,
        [Position(*map(int, each)) for each in events[["partition", "offset"]].to_numpy()],
        "events of camera",
        height=table_height(len(events), TABLE_HEIGHT),
        hide_index=True,
        placeholder="",
        alt="The camera's events",
        column_order=["kind", "start_time", "end_time", "first_reported"],
        column_config={
            "kind": "Event",
            "start_time": time_column("Start", zone),
            "end_time": time_column("End", zone),
            "first_reported": time_column("First reported", zone),
        },
    )
    if clicked is not None:
        open_message(clicked)


def state_spans(
    history: CameraHistory, last_message: datetime, until: datetime
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return start, end and name of the times offline, and of the time without messages at the end.

    What happened after the camera's last message is not known.
    """
    offline = [(start, end or last_message, "offline") for start, end in history.outages]
    silent = []
    if until - last_message > sources.settings().silent_after:
        silent = [(last_message, until, "no message")]
    return pd.DataFrame(offline, columns=_SPAN_COLUMNS), pd.DataFrame(silent, columns=_SPAN_COLUMNS)
