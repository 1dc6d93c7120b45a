"""What the page Report says first: one sentence, and the picture of the pipeline."""

from datetime import UTC, datetime
from html import escape

import streamlit as st

from dashboard import sources
from dashboard.data.background_value import Snapshot
from dashboard.data.completeness import how_complete
from dashboard.data.live_view import LiveView
from dashboard.data.report_sentence import Phrase, report_sentence
from dashboard.data.selection import Selection
from dashboard.refresh_intervals import KAFKA_REFRESH_S
from dashboard.views.pipeline_section import current_picture, draw_pipeline
from dashboard.widgets.viewer import viewer_time_zone

_KEY = "sentence"
_STYLE = "margin:0;font-size:clamp(1.1rem,1.7vw,1.45rem);line-height:1.4;text-wrap:pretty"


@st.fragment(run_every=KAFKA_REFRESH_S)
def report_headline(selection: Selection) -> None:
    """Show both, of the same moment; a refresh draws only these again."""
    draw_headline(selection)


def draw_headline(selection: Selection) -> None:
    """Draw both as of now."""
    live, now = sources.live().read(), datetime.now(UTC)
    sentence, picture = _sentence(selection, live, now), current_picture(live, now)
    with st.container(key=_KEY):
        st.html(f'<p style="{_STYLE}">{sentence}</p>')
    draw_pipeline(picture)


def _sentence(selection: Selection, live: Snapshot[LiveView], now: datetime) -> str:
    """Return the sentence about the selected counts as HTML."""
    view = sources.counts().read().value
    if view is None:
        return "&nbsp;"
    selected = view.select(selection, now)
    phrases = report_sentence(
        selected.rows,
        sources.device_places().cities,
        has_others=view.total > selected.total,
        complete=how_complete(live, now),
        check=sources.check_runner().last_completed,
        now=now,
        zone=viewer_time_zone(),
    )
    return "".join(map(_as_html, phrases))


def _as_html(phrase: Phrase) -> str:
    text = escape(phrase.text).replace(" h,", "&nbsp;h,")
    return f"<strong>{text}</strong>" if phrase.is_strong else text
