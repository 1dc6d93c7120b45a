"""What the pages read from, one of each per process, shared by all viewers."""

import streamlit as st

from contract.settings import Settings, load_settings
from dashboard.counts import CountsView, read_counts
from dashboard.shared import Shared


@st.cache_resource(show_spinner=False)
def settings() -> Settings:
    """Return the settings as they were when the dashboard started; UserError if they are wrong."""
    return load_settings()


@st.cache_resource(show_spinner=False)
def counts() -> Shared[CountsView]:
    """Return the counts per zip code and hour."""
    bootstrap_servers = settings().bootstrap_servers
    return Shared(lambda: read_counts(bootstrap_servers))
