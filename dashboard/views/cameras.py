"""Which cameras are online and which are not, and what one of them has seen."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pandas as pd
import streamlit as st

from dashboard import sources
from dashboard.data.formatting import ago, clock, counted, lasted, number, zone_named
from dashboard.data.lake.cameras import BACK, CamerasView
from dashboard.views.camera_history import choose_camera, history
from dashboard.widgets import table_columns
from dashboard.widgets.downloads import csv_in_utc, titled_download
from dashboard.widgets.notices import SILENCE_OF_LAKE, say_whether_known

REFRESH = 3
SHOWN_ROWS = 1000
HEIGHT = 320
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
    titled_download("Offline now", "offline_cameras.csv", lambda: as_csv(rows), disabled=rows.empty)
    if rows.empty:
        st.success("Every camera is online.", icon=":material/check_circle:")
        return

    st.dataframe(
        rows.head(SHOWN_ROWS),
        height=table_columns.height(len(rows), HEIGHT),
        hide_index=True,
        key="offline",
        column_config={
            "name": "Camera",
            "zip_code": "Zip code",
            "city": "City",
            "offline_since": table_columns.moments("Offline since", zone),
            "offline_for": "For",
            "last_report": table_columns.moments("Last report", zone),
            "last_event": table_columns.moments("Last event", zone),
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
    moments = ("offline_since", "last_report", "last_event")
    return csv_in_utc(rows.drop(columns="offline_for"), moments)
