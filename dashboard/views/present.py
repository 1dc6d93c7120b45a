"""The presenter's mode: the pages in turn, in large type, without controls."""

from collections.abc import Callable
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import streamlit as st

from dashboard import sources
from dashboard.data.background_value import LAKE_STALE_AFTER
from dashboard.data.formatting import format_age
from dashboard.data.proof_headline import proof_headline
from dashboard.data.selection import Selection
from dashboard.data.slides import chosen_slide, seconds_per_slide, slide_number
from dashboard.refresh_intervals import KAFKA_REFRESH_S
from dashboard.views.camera_alerts import newest_alerts
from dashboard.views.cameras import state_metrics
from dashboard.views.live import rate_metrics
from dashboard.views.live_charts import live_charts
from dashboard.views.report_headline import draw_headline
from dashboard.views.report_map import report_map
from dashboard.views.report_table import highest_counts
from dashboard.views.report_totals import report_totals
from dashboard.widgets.dirt_bars import show_dirt_bars
from dashboard.widgets.headline import show_headline
from dashboard.widgets.notices import show_no_counts, show_source_status
from dashboard.widgets.viewer import viewer_time_zone

# Everything is sized in rem, of which 34 are as high as the screen. The menu comes when the mouse
# is at the top, or the keyboard in it; a touch screen has no mouse, and always shows it.
_STYLE = """<style>
html { font-size: clamp(15px, min(1.9vw, 2.9vh), 48px) !important; }
.stMainBlockContainer { padding: 1rem max(1rem, 2.5vw) !important; }
.stMain [data-testid="stVerticalBlock"] { gap: 0.5rem !important; }
h1, h2 { padding: 0 0 1rem !important; }
h2 { font-size: 1.5rem !important; }
.st-key-slide-1 [data-testid="stVegaLiteChart"] { height: 17rem !important; }
/* Two rows of charts share what a screen has left, 8rem each on a wide one. */
.st-key-slide-2 [data-testid="stVegaLiteChart"] {
  height: max(8rem, calc(50vh - 9.25rem)) !important;
}
.stElementContainer:has([data-testid="stMetric"]) {
  flex: 1 1 0 !important; width: auto !important; min-width: 7rem;
}
/* Labels and notes are small enough for one line on a wide screen; on a narrow one they wrap. */
:is([data-testid="stMetricLabel"], [data-testid="stMetricDelta"]) * {
  font-size: 0.75rem !important; white-space: normal !important;
}
[data-testid="stMetricValue"] { font-size: 1.5rem !important; }
header, .st-key-pages { opacity: 0; transition: opacity 0.3s; }
.stApp:has(:is(header, .st-key-pages):is(:hover, :focus-within)) :is(header, .st-key-pages) {
  opacity: 1;
}
@media (hover: none) { .st-key-pages { opacity: 1; } }
:is(
  [data-testid="stElementToolbar"], [data-testid="stTooltipIcon"]
) { display: none; }
</style>"""


def present_page() -> None:
    """Show the slides, each for some seconds (``?every=30``), or one of them (``?slide=2``)."""
    st.html(_STYLE)
    began = st.session_state.setdefault("present since", datetime.now(UTC))
    seconds = seconds_per_slide(st.query_params.get("every", ""))
    show_slide(began, seconds, chosen_slide(st.query_params.get("slide", ""), len(SLIDES)))


@st.fragment(run_every=KAFKA_REFRESH_S)
def show_slide(began: datetime, seconds: int, chosen: int | None) -> None:
    """Show the chosen slide, or else that of this moment, with its newest numbers."""
    now = datetime.now(UTC)
    number = slide_number(now - began, seconds, len(SLIDES)) if chosen is None else chosen
    with st.container(key=f"slide-{number}"):
        SLIDES[number](now, viewer_time_zone())


def report_slide(now: datetime, zone: ZoneInfo) -> None:
    """Show how much, where, and how the pipeline does."""
    st.title("People seen by zip code and hour", anchor=False)
    snapshot = sources.counts().read()
    show_source_status(snapshot, now)
    view = snapshot.value
    if view is None:
        return
    selection = Selection(sources.settings().threshold)
    draw_headline(selection)
    if view.rows.empty:
        show_no_counts(sources.live().read(), now)
    else:
        report_totals(view, view, selection, now, zone)


def map_slide(now: datetime, zone: ZoneInfo) -> None:
    """Show where people were seen."""
    st.title("Where people were seen", anchor=False)
    snapshot = sources.counts().read()
    show_source_status(snapshot, now)
    view = snapshot.value
    if view is None:
        return
    if view.rows.empty:
        show_no_counts(sources.live().read(), now)
        return
    left, right = st.columns(2, gap="large")
    with left:
        report_map(view, view, height="stretch")
    with right:
        highest_counts(view, sources.settings().threshold, zone, most=8)


def live_slide(now: datetime, zone: ZoneInfo) -> None:
    """Show how fast the stream is."""
    st.title("Live stream", anchor=False)
    snapshot = sources.live().read()
    show_source_status(snapshot, now)
    if snapshot.value:
        rate_metrics(snapshot.value)
        live_charts(snapshot.value, zone, height="stretch")


def cameras_slide(now: datetime, zone: ZoneInfo) -> None:
    """Show how many cameras are online, and the newest alerts."""
    st.title("Cameras", anchor=False)
    snapshot = sources.cameras().read()
    show_source_status(snapshot, now, "the lake", LAKE_STALE_AFTER)
    view = snapshot.value
    if view and view.newest:
        state_metrics(view, view.newest, now)
    newest_alerts(now, zone, most=7)


def proof_slide(now: datetime, zone: ZoneInfo) -> None:
    """Show what the last check has found."""
    st.title("Proof: a recount of every number", anchor=False)
    runner = sources.check_runner()
    show_headline(proof_headline(runner.current, runner.last_completed), key="slide headline")
    last = runner.last_completed
    if last.verdict and last.ended_at:
        st.caption(f"Checked {format_age(now - last.ended_at)}.")
        show_dirt_bars(last.verdict.dirt)


SLIDES: tuple[Callable[[datetime, ZoneInfo], None], ...] = (
    report_slide,
    map_slide,
    live_slide,
    cameras_slide,
    proof_slide,
)
