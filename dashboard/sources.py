"""The data sources of the pages: one of each per process, shared by all viewers."""

import streamlit as st

from contract.settings import Settings, load_settings
from dashboard.data.alerts import AlertsView, read_alerts
from dashboard.data.background_value import BackgroundValue
from dashboard.data.check_run import CheckRunner
from dashboard.data.counts import CountsView, read_counts
from dashboard.data.device_places import DevicePlaces, read_device_places
from dashboard.data.lake.cameras import CamerasView, read_cameras
from dashboard.data.lake.quarantine import read_quarantine_size
from dashboard.data.lake.tables import LakeView, read_lake
from dashboard.data.live_reader import read_live
from dashboard.data.live_view import LiveView
from dashboard.refresh_intervals import LAKE_REFRESH_S

_LAKE_IDLE_TIMEOUT = 600.0
"""Longer than Kafka's: opening the lake again reads more."""
_FIRST_SIZE_TIMEOUT = 0.5
"""The picture of the pipeline is drawn without this number until it comes."""


@st.cache_resource(show_spinner=False)
def settings() -> Settings:
    """Return the settings as of the dashboard's start; UserError if they are wrong."""
    loaded = load_settings()
    if loaded.object_store:
        loaded.object_store.use_in_this_process()
    return loaded


@st.cache_resource(show_spinner=False)
def counts() -> BackgroundValue[CountsView]:
    """Return the counts per zip code and hour."""
    kafka = settings().kafka
    return BackgroundValue(lambda: read_counts(kafka))


@st.cache_resource(show_spinner=False)
def live() -> BackgroundValue[LiveView]:
    """Return the state of the stream."""
    kafka = settings().kafka
    return BackgroundValue(lambda: read_live(kafka))


@st.cache_resource(show_spinner=False, ttl="5 minutes")
def device_places() -> DevicePlaces:
    """Return where devices and zip codes are."""
    return read_device_places(settings().device_locations)


@st.cache_resource(show_spinner=False)
def cameras() -> BackgroundValue[CamerasView]:
    """Return which cameras are online and which are offline."""
    root = settings().lake
    return BackgroundValue(
        lambda: read_cameras(root),
        refresh_interval=LAKE_REFRESH_S,
        idle_timeout=_LAKE_IDLE_TIMEOUT,
    )


@st.cache_resource(show_spinner=False)
def alerts() -> BackgroundValue[AlertsView]:
    """Return the newest alerts about cameras."""
    kafka = settings().kafka
    return BackgroundValue(lambda: read_alerts(kafka))


@st.cache_resource(show_spinner=False)
def lake() -> BackgroundValue[LakeView]:
    """Return the tables of the lake."""
    root = settings().lake
    return BackgroundValue(
        lambda: read_lake(root),
        refresh_interval=LAKE_REFRESH_S,
        idle_timeout=_LAKE_IDLE_TIMEOUT,
    )


@st.cache_resource(show_spinner=False)
def quarantine_size() -> BackgroundValue[int | None]:
    """Return how many rows the quarantine has."""
    root = settings().lake
    return BackgroundValue(
        lambda: read_quarantine_size(root),
        refresh_interval=LAKE_REFRESH_S,
        first_read_timeout=_FIRST_SIZE_TIMEOUT,
    )


def check_runner() -> CheckRunner:
    """Return the runner of the check, with the last verdict, whoever ran that check."""
    runner = _check_runner()
    runner.take_kept_verdict()
    return runner


@st.cache_resource(show_spinner=False)
def _check_runner() -> CheckRunner:
    return CheckRunner(state=settings().state)
