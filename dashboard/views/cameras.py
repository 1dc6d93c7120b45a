"""The page Cameras: which cameras are online and offline, and the events of one camera."""

from datetime import UTC, datetime, timedelta

import streamlit as st

from contract.duration import format_duration
from contract.stats import UNPLACED
from dashboard import sources
from dashboard.data.background_value import LAKE_STALE_AFTER
from dashboard.data.formatting import escape_markdown, format_age, format_number, format_time
from dashboard.data.lake.cameras import CamerasView
from dashboard.refresh_intervals import LAKE_REFRESH_S
from dashboard.views.camera_alerts import camera_alerts
from dashboard.views.camera_choice import camera_label, choose_camera, choose_zip_code
from dashboard.views.camera_history import camera_history
from dashboard.views.cameras_table import cameras_table
from dashboard.views.offline_cameras import offline_cameras
from dashboard.widgets.metric_row import Metric, metric_row
from dashboard.widgets.notices import show_source_status
from dashboard.widgets.query_params import show_unknown_zip_codes
from dashboard.widgets.viewer import viewer_time_zone

LONG_OFFLINE = timedelta(hours=1)
BATCHES_TAKE = timedelta(seconds=30)
"""A state comes later than the settings say by what the batches take, and no more than that."""


def cameras_page() -> None:
    """Show the page; a refresh draws only the numbers again."""
    st.title("Cameras", anchor=False)
    view = sources.cameras().read().value
    with st.container(horizontal=True, vertical_alignment="bottom", key="controls camera"):
        zip_code = choose_zip_code()
        device_id = choose_camera(cameras_of(view, zip_code) if view else None)
    if zip_code:
        show_unknown_zip_codes([zip_code], set(sources.device_places().zip_code_of.values()))
    if device_id:
        label = camera_label(device_id, view.name(device_id) if view else None)
        st.header(escape_markdown(label), anchor=False)
        camera_history(device_id)
    camera_states(zip_code, has_cameras=view is not None and not view.rows.empty)


def cameras_of(view: CamerasView, zip_code: str | None) -> CamerasView:
    """Return the view of the cameras of a zip code, or of all."""
    return view.of_zip_code(zip_code, sources.device_places().zip_code_of) if zip_code else view


@st.fragment(run_every=LAKE_REFRESH_S)
def camera_states(zip_code: str | None, has_cameras: bool) -> None:
    """Show the current states of the cameras of a zip code, or of all.

    ``has_cameras`` tells whether the page offers cameras to choose.
    """
    snapshot = sources.cameras().read()
    now = datetime.now(UTC)
    zone = viewer_time_zone()
    show_source_status(snapshot, now, "the lake", LAKE_STALE_AFTER)
    view = snapshot.value
    if view is None:
        return
    if view.rows.empty or view.newest is None:
        st.info(
            "**There is no camera yet.** Cameras appear within a minute after the pipeline has "
            "archived their first messages.",
            icon=":material/hourglass_empty:",
        )
        return
    if not has_cameras:
        st.rerun()  # the page can offer cameras to choose now
    shown = cameras_of(view, zip_code)
    state_metrics(shown, view.newest, now)
    if zip_code:
        cameras_table(shown, zip_code, zone)
    if not shown.rows.empty:
        offline_cameras(shown, zone, zip_code)
    camera_alerts(now, zone, zip_code)
    st.caption(
        "The states are from the table camera_status, which has each camera's newest message "
        f"(version {view.version}; the newest of all is from {format_time(view.newest, zone)}). "
        "The alerts are from nest-camera-alerts. A camera is silent if it has sent nothing for "
        f"a long time, while others have. Times are in {zone.key}."
    )


def state_metrics(view: CamerasView, newest: datetime, now: datetime) -> None:
    """Show how many cameras are online and offline."""
    offline = view.offline
    # A camera that does not tell since when is not among them: a missing time compares as False.
    long_offline = int((offline["last_is_online_change"] <= newest - LONG_OFFLINE).sum())
    metric_row(
        [
            _number_of_cameras(view),
            Metric("Online", format_number(view.online)),
            Metric("Offline", format_number(len(offline))),
            Metric(f"Offline over {format_duration(LONG_OFFLINE)}", format_number(long_offline)),
            Metric("Newest message", format_age(now - newest)),
        ],
        "cameras",
    )
    if now - newest > sources.settings().status_interval + BATCHES_TAKE:
        st.warning(
            f"The states are not up to date. They are from {format_age(now - newest)}.",
            icon=":material/history:",
        )


def _number_of_cameras(view: CamerasView) -> Metric:
    zip_code_of = sources.device_places().zip_code_of
    unplaced = len(view.of_zip_code(UNPLACED, zip_code_of).rows)
    return Metric(
        "Cameras",
        format_number(len(view.rows)),
        "Every device that has sent a state. One without a place is not in the device locations: "
        f"its sightings count for the zip code {UNPLACED}.",
        note=f"{format_number(unplaced)} without a place" if unplaced else None,
    )
