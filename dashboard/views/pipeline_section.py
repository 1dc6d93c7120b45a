"""The living picture of the pipeline, at the top of Report and Live."""

from datetime import UTC, datetime

import streamlit as st

from dashboard import sources
from dashboard.data.background_value import Snapshot
from dashboard.data.live_view import LiveView
from dashboard.data.picture.pipeline import pipeline_picture
from dashboard.data.picture.station import PipelinePicture
from dashboard.refresh_intervals import KAFKA_REFRESH_S
from dashboard.widgets.pipeline_picture import show_pipeline_picture

_KEY = "pipeline"
"""style.css keeps its room."""


@st.fragment(run_every=KAFKA_REFRESH_S)
def pipeline_section() -> None:
    """Show the picture; a refresh draws only its numbers again."""
    draw_pipeline(current_picture(sources.live().read(), datetime.now(UTC)))


def draw_pipeline(picture: PipelinePicture) -> None:
    """Draw the picture, or bring the one that is there up to date."""
    with st.container(key=_KEY):
        show_pipeline_picture(picture, key="pipeline picture")


def current_picture(live: Snapshot[LiveView], now: datetime) -> PipelinePicture:
    """Return the picture as of now."""
    return pipeline_picture(
        live,
        is_reachable=not live.is_unavailable(now),
        cameras=len(sources.device_places().devices),
        quarantined=sources.quarantine_size().read(),
        archive_interval=sources.settings().archive_interval,
        now=now,
    )
