"""One camera's day: what it has seen and when it was offline."""

from datetime import datetime
from zoneinfo import ZoneInfo

import streamlit as st

from contract.errors import UserError
from dashboard import sources
from dashboard.charts.camera_events import events_chart
from dashboard.data.formatting import counted, number, zone_named
from dashboard.data.lake.cameras import MOST_EVENTS, CamerasView, History, camera_history
from dashboard.widgets import table_columns
from dashboard.widgets.notices import say_verbatim
from dashboard.widgets.query_params import asked, remember

REFRESH = 3
HEIGHT = 320
MOST_OFFERED = 5000
"""Cameras to choose from; the id of any other can be typed."""


def choose_camera(view: CamerasView | None) -> str | None:
    """Let the viewer choose a camera, those that are offline first; the address keeps its id."""
    names: dict[str, str] = {}
    if view is not None and not view.rows.empty:
        rows = view.rows.sort_values(["is_online", "name_long", "device_id"]).head(MOST_OFFERED)
        names = dict(zip(rows["device_id"], rows["name_long"], strict=True))
    first = asked("camera")
    if first:
        names.setdefault(first, "Camera")
    chosen: str | None = st.selectbox(
        "Camera",
        list(names),
        index=list(names).index(first) if first else None,
        placeholder="Type a name or a device id",
        format_func=lambda device_id: f"{names.get(device_id) or 'Camera'} ({device_id})",
        accept_new_options=True,
        key="chosen camera",
        persist_state="session",
        width=520,
    )
    remember("camera", chosen)
    return chosen


@st.fragment(run_every=REFRESH)
def history(device_id: str) -> None:
    """Show one camera's day."""
    view = sources.cameras().read().value
    if view is None or view.newest is None:
        return
    mine = view.rows[view.rows["device_id"] == device_id]
    newest = mine["timestamp"].iloc[0] if len(mine) else view.newest
    zone = zone_named(st.context.timezone)
    try:
        found = history_of(sources.settings().lake, device_id, newest)
    except UserError as error:
        st.warning("This camera's history cannot be read.", icon=":material/cloud_off:")
        say_verbatim(str(error))
        return
    show_history(found, zone)


@st.cache_data(show_spinner="Reading the archive …", max_entries=50, ttl="10 minutes")
def history_of(root: str, device_id: str, newest: datetime) -> History:
    """Read a camera's day once for each new report of it."""
    return camera_history(root, device_id, newest)


def show_history(found: History, zone: ZoneInfo) -> None:
    """Show the events as marks on a line of time, and as a table."""
    if found.events.empty:
        st.info("This camera has no event in the archive's last 24 hours.")
        return
    st.altair_chart(events_chart(found.events, zone), key="events")
    st.dataframe(
        found.events,
        height=table_columns.height(len(found.events), HEIGHT),
        hide_index=True,
        column_config={
            "what": "What",
            "moment": table_columns.moments("From", zone),
            "until": table_columns.moments("Until", zone),
            "reported": table_columns.moments("First reported", zone),
        },
    )
    least = "The newest " if len(found.events) >= MOST_EVENTS else ""
    st.caption(
        f"{least}{counted(len(found.events), 'event')}. This opened {number(found.files_read)} of "
        f"{counted(found.files, 'data file')}: those whose statistics reach into these 24 hours."
    )
