"""Which cameras are online and which are not, and what one of them has seen."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pandas as pd
import streamlit as st

from contract.errors import UserError
from dashboard import columns, sources
from dashboard.address import asked, remember
from dashboard.charts.events import events_chart
from dashboard.figures import ago, clock, counted, lasted, number, zone_named
from dashboard.lake.cameras import BACK, MOST_EVENTS, CamerasView, History, camera_history
from dashboard.notices import SILENCE_OF_LAKE, say_verbatim, say_whether_known

REFRESH = 3
SHOWN_ROWS = 1000
HEIGHT = 320
MOST_OFFERED = 5000
"""Cameras to choose from; the id of any other can be typed."""
LONG = timedelta(hours=1)
STALE = timedelta(minutes=2)
"""An archive that has had no report for so long does not tell how things are now."""


def cameras_page() -> None:
    """Show the page; only its numbers are drawn again on a refresh."""
    st.title("Cameras, online and offline", anchor=False)
    view = sources.cameras().read().value
    states(is_offered=view is not None and not view.rows.empty)
    st.subheader("One camera's history", anchor=False)
    camera = choose_camera(view)
    if camera:
        history(camera)
    else:
        st.caption("Choose a camera to see what it reported in the last 24 hours.")


@st.fragment(run_every=REFRESH)
def states(is_offered: bool) -> None:
    """Show what is known now; ``is_offered`` tells whether there are cameras to choose from."""
    known = sources.cameras().read()
    now = datetime.now(UTC)
    zone = zone_named(st.context.timezone)
    with st.container():
        say_whether_known(known, now, "the lake", SILENCE_OF_LAKE)
    view = known.value
    if view is None:
        return
    if view.rows.empty or view.newest is None:
        st.info(
            "**The archive is empty.** Cameras appear here as soon as the pipeline has archived "
            "their first reports.",
            icon=":material/hourglass_empty:",
        )
        return
    if not is_offered:
        st.rerun()
    figures(view, now)
    offline_list(view, zone)
    st.caption(
        f"The newest report of each camera in the table camera (version {view.version}), looking "
        f"back {BACK.total_seconds() / 3600:.0f} hours from {clock(view.newest, zone)}; a camera "
        f"that was silent for longer is not shown. The last refresh opened "
        f"{number(view.files_read)} of {counted(view.files, 'data file')}. Times are in {zone.key}."
    )


def figures(view: CamerasView, now: datetime) -> None:
    """Show the figures that matter most."""
    offline = view.offline
    newest = view.newest or now
    since = offline["last_is_online_change"]
    recent = int((since > newest - LONG).sum())
    shown = {
        "Cameras": (number(len(view.rows)), "That reported in the last 24 hours."),
        "Online": (number(view.online), None),
        "Offline": (number(len(offline)), None),
        "Offline for over an hour": (number(len(offline) - recent), None),
        "Newest report": (ago(now - newest), None),
    }
    with st.container(horizontal=True):
        for label, (figure, text) in shown.items():
            st.metric(label, figure, help=text, width=170)
    if now - newest > STALE:
        st.warning(
            f"The archive's newest report is from {ago(now - newest)}: this is how the cameras "
            "were then.",
            icon=":material/history:",
        )


def offline_list(view: CamerasView, zone: ZoneInfo) -> None:
    """Show the cameras that are offline, those that went last first."""
    rows = offline_rows(view)
    with st.container(
        horizontal=True, horizontal_alignment="distribute", vertical_alignment="bottom"
    ):
        st.subheader("Offline now", anchor=False)
        st.download_button(
            "Download (CSV, UTC)",
            data=lambda: as_csv(rows),
            file_name="offline_cameras.csv",
            mime="text/csv",
            on_click="ignore",
            icon=":material/download:",
            disabled=rows.empty,
        )
    if rows.empty:
        st.success("Every camera is online.", icon=":material/check_circle:")
        return

    st.dataframe(
        rows.head(SHOWN_ROWS),
        height=columns.height(len(rows), HEIGHT),
        hide_index=True,
        key="offline",
        column_config={
            "name": "Camera",
            "zip_code": "Zip code",
            "city": "City",
            "offline_since": columns.moments("Offline since", zone),
            "offline_for": "For",
            "last_report": columns.moments("Last report", zone),
            "last_event": columns.moments("Last event", zone),
            "structure_id": "Home",
            "device_id": "Device",
            "software_version": "Software",
        },
    )
    if len(rows) > SHOWN_ROWS:
        st.caption(f"The newest {number(SHOWN_ROWS)} of {number(len(rows))}; the download has all.")


def offline_rows(view: CamerasView) -> pd.DataFrame:
    """Return what a network operations centre needs of the cameras that are offline."""
    rows = view.offline
    newest = pd.Timestamp(view.newest or datetime.now(UTC))
    places = sources.places()
    rows = rows.merge(places.devices, on="device_id", how="left").merge(
        places.rows[["zip_code", "city"]], on="zip_code", how="left"
    )
    for_how_long = (newest - rows["last_is_online_change"]).dt.total_seconds()
    return pd.DataFrame(
        {
            "name": rows["name_long"].fillna(rows["where_name"]),
            "zip_code": rows["zip_code"],
            "city": rows["city"],
            "offline_since": rows["last_is_online_change"],
            "offline_for": ["unknown" if pd.isna(s) else lasted(s) for s in for_how_long],
            "last_report": rows["timestamp"],
            "last_event": rows["last_event"],
            "structure_id": rows["structure_id"],
            "device_id": rows["device_id"],
            "software_version": rows["software_version"],
        }
    )


def as_csv(rows: pd.DataFrame) -> bytes:
    """Return the list with times in UTC."""
    told = rows.drop(columns="offline_for")
    for name in ("offline_since", "last_report", "last_event"):
        told[name] = told[name].dt.strftime("%Y-%m-%dT%H:%M:%SZ")
    return told.to_csv(index=False, lineterminator="\n").encode()


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
        height=columns.height(len(found.events), HEIGHT),
        hide_index=True,
        column_config={
            "what": "What",
            "moment": columns.moments("From", zone),
            "until": columns.moments("Until", zone),
            "reported": columns.moments("First reported", zone),
        },
    )
    least = "The newest " if len(found.events) >= MOST_EVENTS else ""
    st.caption(
        f"{least}{counted(len(found.events), 'event')}. This opened {number(found.files_read)} of "
        f"{counted(found.files, 'data file')}: those whose statistics reach into these 24 hours."
    )
