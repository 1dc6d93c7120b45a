"""The events of one camera in the last 24 hours, as a chart and as a table."""

from datetime import datetime
from zoneinfo import ZoneInfo

import streamlit as st

from contract.errors import UserError
from dashboard import sources
from dashboard.charts.camera_events import camera_events_chart
from dashboard.data.formatting import format_number, format_quantity
from dashboard.data.lake.camera_history import MAX_EVENTS, CameraHistory, read_camera_history
from dashboard.data.lake.cameras import CamerasView
from dashboard.widgets.notices import show_verbatim
from dashboard.widgets.query_params import initial_param, set_param
from dashboard.widgets.table_columns import table_height, time_column
from dashboard.widgets.viewer import viewer_chart_theme, viewer_time_zone

REFRESH_SECONDS = 3
HEIGHT = 320
MAX_CHOICES = 5000
"""Cameras on offer; the id of any other can be typed."""


def choose_camera(view: CamerasView | None) -> str | None:
    """Let the viewer choose a camera, offline ones first; the address keeps its device id."""
    names: dict[str, str] = {}
    if view is not None and not view.rows.empty:
        rows = view.rows.sort_values(["is_online", "name_long", "device_id"]).head(MAX_CHOICES)
        names = dict(zip(rows["device_id"], rows["name_long"], strict=True))
    initial = initial_param("camera")
    if initial:
        names.setdefault(initial, "Camera")
    device_id: str | None = st.selectbox(
        "Camera",
        list(names),
        index=list(names).index(initial) if initial else None,
        placeholder="Type a name or a device id",
        format_func=lambda device_id: f"{names.get(device_id) or 'Camera'} ({device_id})",
        accept_new_options=True,
        key="chosen camera",
        persist_state="session",
        width=520,
    )
    set_param("camera", device_id)
    return device_id


@st.fragment(run_every=REFRESH_SECONDS)
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
        st.warning("The camera's events cannot be read.", icon=":material/cloud_off:")
        show_verbatim(str(error))
        return
    if history.events.empty and rows.empty:
        st.info("No camera with this id has sent a message in the archive's last 24 hours.")
        return
    show_history(history, viewer_time_zone())


@st.cache_data(show_spinner="Reading the archive …", max_entries=50, ttl="10 minutes")
def cached_history(root: str, device_id: str, newest: datetime) -> CameraHistory:
    """Read a camera's events once per new message of the camera."""
    return read_camera_history(root, device_id, newest)


def show_history(history: CameraHistory, zone: ZoneInfo) -> None:
    """Show the events on a time axis and as a table."""
    events = history.events
    if events.empty:
        st.info("This camera has no event in the archive's last 24 hours.")
        return
    st.altair_chart(camera_events_chart(events, zone, viewer_chart_theme()), key="events")
    st.dataframe(
        events,
        height=table_height(len(events), HEIGHT),
        hide_index=True,
        column_config={
            "kind": "Event",
            "start_time": time_column("Start", zone),
            "end_time": time_column("End", zone),
            "first_reported": time_column("First reported", zone),
        },
    )
    newest = "The newest " if len(events) >= MAX_EVENTS else ""
    st.caption(
        f"{newest}{format_quantity(len(events), 'event')}. The page read "
        f"{format_number(history.files_read)} of {format_quantity(history.files, 'data file')}. "
        "File statistics exclude the files with older messages."
    )
