"""What the pages read from, one of each per process, shared by all viewers."""

import streamlit as st

from contract.settings import Settings, load_settings
from dashboard.data.background_value import Shared
from dashboard.data.check_run import Check
from dashboard.data.counts import CountsView, read_counts
from dashboard.data.device_places import Places, read_places
from dashboard.data.lake.cameras import CamerasView, read_cameras
from dashboard.data.lake.tables import LakeView, read_lake
from dashboard.data.live import LiveView, read_live


@st.cache_resource(show_spinner=False)
def settings() -> Settings:
    """Return the settings as they were when the dashboard started; UserError if they are wrong."""
    return load_settings()


@st.cache_resource(show_spinner=False)
def counts() -> Shared[CountsView]:
    """Return the counts per zip code and hour."""
    bootstrap_servers = settings().bootstrap_servers
    return Shared(lambda: read_counts(bootstrap_servers))


@st.cache_resource(show_spinner=False)
def live() -> Shared[LiveView]:
    """Return how the stream is doing."""
    bootstrap_servers = settings().bootstrap_servers
    return Shared(lambda: read_live(bootstrap_servers))


@st.cache_resource(show_spinner=False, ttl="5 minutes")
def places() -> Places:
    """Return where the zip codes are."""
    return read_places(settings().device_locations)


@st.cache_resource(show_spinner=False)
def cameras() -> Shared[CamerasView]:
    """Return which cameras are online and which are not."""
    root = settings().lake
    return Shared(lambda: read_cameras(root), interval=3.0, idle=600.0)


@st.cache_resource(show_spinner=False)
def lake() -> Shared[LakeView]:
    """Return the tables of the lake."""
    root = settings().lake
    return Shared(lambda: read_lake(root), interval=3.0, idle=600.0)


@st.cache_resource(show_spinner=False)
def check() -> Check:
    """Return the check, of which one runs at a time for all viewers."""
    return Check()
