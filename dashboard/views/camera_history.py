"""The events of one camera in the last 24 hours, as a chart and as a table."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pandas as pd
import streamlit as st

from contract.errors import UserError
from dashboard import sources
from dashboard.charts.camera_events import camera_events_chart
from dashboard.data.formatting import format_number, format_quantity
from dashboard.data.lake.camera_history import MAX_EVENTS, CameraHistory, read_camera_history
from dashboard.data.lake.cameras import CamerasView
from dashboard.widgets.notices import show_verbatim
from dashboard.widgets.query_params import follow_history, initial_param, set_param
from dashboard.widgets.table_columns import table_height, time_column
from dashboard.widgets.viewer import viewer_chart_theme, viewer_time_zone

REFRESH_SECONDS = 3
HEIGHT = 320
MAX_CHOICES = 5000
"""Cameras on offer; the address takes the id of any other."""
_SPAN_COLUMNS = ["start", "end", "name"]


def choose_camera(view: CamerasView | None) -> str | None:
    """Let the viewer choose a camera, offline ones first; the address keeps its device id."""
    labels: dict[str, str] = {}
    if view is not None and not view.rows.empty:
        rows = view.rows.sort_values(["is_online", "name_long", "device_id"]).head(MAX_CHOICES)
        names = rows["name_long"].fillna(rows["where_name"])
        labels = {
            device_id: camera_label(device_id, name)
            for device_id, name in zip(rows["device_id"], names, strict=True)
        }
    initial, current = initial_param("camera"), st.query_params.get("camera")
    for device_id in (initial, current, st.session_state.get("chosen camera")):
        if device_id:
            labels.setdefault(device_id, camera_label(device_id, None))
    follow_history("chosen camera", current)
    with st.container(key="controls camera"):
        chosen = select_camera(labels, initial)
    set_param("camera", chosen)
    return chosen


def select_camera(labels: dict[str, str], initial: str) -> str | None:
    """Show the menu of cameras, from device id to label."""
    chosen: str | None = st.selectbox(
        "Camera",
        list(labels),
        index=list(labels).index(initial) if initial else None,
        placeholder="Type a name, a city, a zip code or a device id",
        format_func=lambda device_id: labels.get(device_id, device_id),
        filter_mode="contains",
        key="chosen camera",
        persist_state="session",
        width=520,
    )
    return chosen


def camera_label(device_id: str, name: str | None) -> str:
    """Return a camera's name, place and device id, as far as they are known."""
    places = sources.device_places()
    zip_code = places.zip_code_of.get(device_id)
    place = f", {places.name(zip_code)}" if zip_code else ""
    return f"{name or 'Camera'}{place} ({device_id})"


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
    st.altair_chart(
        chart, key="events", alt="One camera's events, and when it was offline, by time"
    )
    st.dataframe(
        events,
        height=table_height(len(events), HEIGHT),
        hide_index=True,
        placeholder="",
        alt="The camera's events",
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
