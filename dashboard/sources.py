"""The data sources of the pages: one of each per process, shared by all viewers."""

import streamlit as st

from contract.settings import Settings, load_settings
from dashboard.data.alerts import AlertsView, read_alerts
from dashboard.data.background_value import BackgroundValue
from dashboard.data.check_run import CheckRunner
from dashboard.data.counts import CountsView, read_counts
from dashboard.data.device_places import DevicePlaces, read_device_places
from dashboard.data.lake.cameras import CamerasView, read_cameras
from dashboard.data.lake.tables import LakeView, read_lake
from dashboard.data.live_reader import read_live
from dashboard.data.live_view import LiveView

_LAKE_REFRESH_INTERVAL = 3.0
_LAKE_IDLE_TIMEOUT = 600.0
"""Longer than Kafka's: opening the lake again reads more."""


@st.cache_resource(show_spinner=False)
def settings() -> Settings:
    """Return the settings as of the dashboard's start; UserError if they are wrong."""
    return load_settings()


@st.cache_resource(show_spinner=False)
def counts() -> BackgroundValue[CountsView]:
    """Return the counts per zip code and hour."""
    bootstrap_servers = settings().bootstrap_servers
    return BackgroundValue(lambda: read_counts(bootstrap_servers))


@st.cache_resource(show_spinner=False)
def live() -> BackgroundValue[LiveView]:
    """Return the state of the stream."""
    bootstrap_servers = settings().bootstrap_servers
    return BackgroundValue(lambda: read_live(bootstrap_servers))


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
        refresh_interval=_LAKE_REFRESH_INTERVAL,
        idle_timeout=_LAKE_IDLE_TIMEOUT,
    )


@st.cache_resource(show_spinner=False)
def alerts() -> BackgroundValue[AlertsView]:
    """Return the newest alerts about cameras."""
    bootstrap_servers = settings().bootstrap_servers
    return BackgroundValue(lambda: read_alerts(bootstrap_servers))


@st.cache_resource(show_spinner=False)
def lake() -> BackgroundValue[LakeView]:
    """Return the tables of the lake."""
    root = settings().lake
    return BackgroundValue(
        lambda: read_lake(root),
        refresh_interval=_LAKE_REFRESH_INTERVAL,
        idle_timeout=_LAKE_IDLE_TIMEOUT,
    )


@st.cache_resource(show_spinner=False)
def check_runner() -> CheckRunner:
    """Return the runner of the check."""
    return CheckRunner()
