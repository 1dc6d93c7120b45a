"""The picture of the pipeline in the browser: a component of its own, without an iframe.

The page gets its HTML, CSS and JavaScript once. Later only the numbers come, and they are put into
the elements that are there, so nothing flickers.
"""

from pathlib import Path

import streamlit as st

from dashboard.data.picture.station import PipelinePicture
from dashboard.refresh_intervals import KAFKA_REFRESH_S

_FOLDER = Path(__file__).parent


def _text_of(name: str) -> str:
    return (_FOLDER / name).read_text(encoding="utf-8")


_component = st.components.v2.component(
    "pipeline_picture",
    html=_text_of("picture.html"),
    css=_text_of("picture.css"),
    js=_text_of("picture.js"),
    isolate_styles=False,
)


def show_pipeline_picture(picture: PipelinePicture, key: str) -> None:
    """Show the picture, or bring the one of this key up to date."""
    _component(
        key=key,
        data={
            "description": picture.description,
            "stations": [each._asdict() for each in picture.stations],
            "flows": [each._asdict() for each in picture.flows],
            "refreshMs": 1000 * KAFKA_REFRESH_S,
        },
    )
