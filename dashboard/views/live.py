"""The page Live: rates, latency, and the progress and lag of each query."""

from datetime import UTC, datetime

import streamlit as st

from contract.glossary import meaning
from contract.queries import REAL_TIME_QUERIES, Query
from dashboard import sources
from dashboard.data.formatting import format_rate, format_seconds, format_time
from dashboard.data.freshness import LATENCY_WINDOW
from dashboard.data.live_view import LiveView
from dashboard.data.rates import RATE_WINDOW
from dashboard.refresh_intervals import KAFKA_REFRESH_S
from dashboard.views.live_charts import live_charts
from dashboard.views.live_query import QUERY_TITLES, query_panel
from dashboard.views.pipeline_section import pipeline_section
from dashboard.views.sightings_table import sightings_table
from dashboard.widgets.metric_row import Metric, metric_row
from dashboard.widgets.notices import show_source_status
from dashboard.widgets.viewer import viewer_time_zone


def live_page() -> None:
    """Show the page; a refresh draws only the numbers again."""
    st.title("Live stream", anchor=False)
    pipeline_section()
    live_numbers()


@st.fragment(run_every=KAFKA_REFRESH_S)
def live_numbers() -> None:
    """Show the current state of the stream."""
    snapshot = sources.live().read()
    now = datetime.now(UTC)
    zone = viewer_time_zone()
    show_source_status(snapshot, now)
    view = snapshot.value
    if view is None:
        return
    if not view.progress:
        st.info(
            "**No query has reported progress yet.** The pipeline (`nest pipeline`) reports after "
            "each batch. A first batch with the messages of a day takes about a minute.",
            icon=":material/hourglass_empty:",
        )
    rate_metrics(view)
    # A real-time query reports only every few minutes; its sightings are below.
    others = set(view.progress) - {*QUERY_TITLES, *REAL_TIME_QUERIES}
    names = [*QUERY_TITLES, *sorted(others)]
    for column, name in zip(st.columns(len(names), gap="medium"), names, strict=True):
        with column:
            query_panel(view, name, now, zone)
    live_charts(view, zone)
    sightings_table(view.sightings, zone)
    if snapshot.read_at:
        st.caption(
            f"Times are in {zone.key}. Last read from Kafka at "
            f"{format_time(snapshot.read_at, zone)}. Rates are means of the last "
            f"{RATE_WINDOW.seconds} s. Latency is from a message's timestamp until its batch is "
            f"committed to the counts, over the last {LATENCY_WINDOW.seconds} s. It is measured on "
            "a sample: the messages of each batch that waited the longest."
        )


def rate_metrics(view: LiveView) -> None:
    """Show the rates of the stream and the latency of the counts."""
    latency = view.latest_latency
    metric_row(
        [
            Metric("Messages in", format_rate(view.input_rate()), "Records written to nest-logs."),
            Metric(
                "Messages counted",
                format_rate(view.query_rate(Query.STATS)),
                "Messages committed by the query stats.",
            ),
            Metric(
                "Messages archived",
                format_rate(view.query_rate(Query.ARCHIVE)),
                "Messages committed by the query archive, which collects them for a while before "
                "it commits a batch, about a minute while few come: so it is the mean from one "
                "commit to another.",
            ),
            Metric(
                "Counts written",
                format_rate(view.counts_rate()),
                "Records written to nest-camera-stats.",
            ),
            Metric(
                "p50 latency",
                format_seconds(latency.p50) if latency else "not yet",
                f"{meaning('p50')} {meaning('freshness')}",
            ),
            Metric(
                "p90 latency",
                format_seconds(latency.p90) if latency else "not yet",
                f"{meaning('p90')} {meaning('freshness')}",
            ),
        ],
        "live",
    )
