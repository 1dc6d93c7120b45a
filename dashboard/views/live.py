"""How the stream is doing now: rates, queries, lag and freshness."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import streamlit as st

from contract.progress import QueryProgress
from contract.queries import ARCHIVE, STATS
from contract.redaction import redact_text
from dashboard import sources
from dashboard.data.formatting import ago, clock, counted, lasted, number, plain, rate, zone_named
from dashboard.data.live import QUERIES, RATE_OVER, LiveView
from dashboard.views.live_charts import charts
from dashboard.widgets.notices import say_verbatim, say_whether_known

REFRESH = 2
_STATES = {
    "running": ("running", "green", "play_circle"),
    "restarting": ("restarting", "orange", "autorenew"),
    "stopped": ("stopped", "red", "stop_circle"),
}


def live_page() -> None:
    """Show the page; only its numbers are drawn again on a refresh."""
    st.title("The stream, live", anchor=False)
    numbers()


@st.fragment(run_every=REFRESH)
def numbers() -> None:
    """Show what is known now."""
    known = sources.live().read()
    now = datetime.now(UTC)
    zone = zone_named(st.context.timezone)
    with st.container():
        say_whether_known(known, now)
    view = known.value
    if view is None:
        return
    if not view.latest:
        st.info(
            "**No query has been heard of yet.** The pipeline (`nest pipeline`) tells its progress "
            "after each batch; the first batch of a day's messages takes about a minute.",
            icon=":material/hourglass_empty:",
        )
    rates(view)
    names = [*QUERIES, *sorted(set(view.latest) - set(QUERIES))]
    for place, name in zip(st.columns(len(names), gap="medium"), names, strict=True):
        with place:
            query(view, name, now, zone)
    charts(view, zone)
    if known.heard:
        st.caption(
            f"Times are in {zone.key}. Kafka last answered at {clock(known.heard, zone)}. "
            f"Rates are means of the last {RATE_OVER.seconds} s. Freshness is from a report's own "
            "time until its batch was in the counts, over the last minute; the reports looked at "
            "are those that waited longest."
        )


def rates(view: LiveView) -> None:
    """Show the figures that matter most."""
    fresh = view.newest_freshness()
    figures = {
        "Messages in": (rate(view.rate("arrived")), "Records that arrive in nest-logs."),
        "Messages counted": (rate(view.rate(STATS)), "Taken in by the counts' query."),
        "Messages archived": (rate(view.rate(ARCHIVE)), "Taken in by the archive's query."),
        "Counts written": (rate(view.rate("written")), "Records of nest-camera-stats."),
        "Freshness": (
            lasted(fresh.median) if fresh else "not yet",
            "From a report's own time until it is in the counts: half of the last minute's "
            "reports took at most so long.",
        ),
        "Nine of ten within": (lasted(fresh.slow) if fresh else "not yet", None),
    }
    with st.container(horizontal=True):
        for label, (figure, text) in figures.items():
            st.metric(label, figure, help=text, width=170)


def query(view: LiveView, name: str, now: datetime, zone: ZoneInfo) -> None:
    """Show how one query is doing."""
    progress = view.latest.get(name)
    with st.container(border=True, height="stretch"):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.subheader(QUERIES.get(name, "Another query"), anchor=False, width="content")
            if progress is None:
                st.badge("not heard of yet", color="gray", icon=":material/help:")
            else:
                state(view, name, progress, now)
        if progress is None:
            return
        if progress.reason:
            say_verbatim(redact_text(progress.reason))
        late = view.dropped.get(name, 0)
        mark = progress.watermark and datetime.fromisoformat(progress.watermark)
        has_mark = mark and mark.year > 1970
        figures = {
            "Waiting": (number(view.behind(name)), "Messages in Kafka not taken in yet."),
            "Batch took": (
                lasted(progress.batch_duration_ms / 1000),
                f"Batch {progress.batch_id}, {counted(progress.input_rows, 'message')}.",
            ),
            "Batch size": (number(progress.input_rows), "Messages in the newest batch."),
        }
        if name == STATS or progress.state_rows:
            figures |= {
                "State rows": (number(progress.state_rows), "What Spark remembers."),
                "Dropped as late": (
                    number(late),
                    "Rows behind the watermark in the batches seen here; re-sends are among them, "
                    "so this is no measure of loss. The check tells what is lost.",
                ),
                "Watermark": (
                    clock(mark, zone) if mark and has_mark else "none yet",
                    "Older hours are forgotten by Spark.",
                ),
            }
        with st.container(horizontal=True):
            for label, (figure, text) in figures.items():
                st.metric(label, figure, help=text, width=150)


def state(view: LiveView, name: str, progress: QueryProgress, now: datetime) -> None:
    """Show a query's state, and since when it says nothing, if that is strange."""
    text, color, icon = _STATES.get(progress.state, (plain(progress.state), "gray", "help"))
    silence = view.silent_for(name, now)
    if silence:
        st.badge(
            f"no word for {lasted(silence.total_seconds())}: a long batch, or killed",
            color="orange",
            icon=":material/warning:",
        )
    else:
        st.badge(text, color=color, icon=f":material/{icon}:")  # type: ignore[arg-type]
        st.caption(f"last word {ago(now - view.spoke[name])}", width="content")
