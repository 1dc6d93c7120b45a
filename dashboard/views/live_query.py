"""The panel of one streaming query on the page Live."""

from collections.abc import Mapping
from datetime import datetime
from zoneinfo import ZoneInfo

import streamlit as st

from contract.glossary import meaning
from contract.progress import QueryProgress
from contract.queries import Query
from contract.redaction import redact_text
from dashboard.data.formatting import (
    escape_markdown,
    format_age,
    format_bytes,
    format_number,
    format_seconds,
    format_time,
)
from dashboard.data.live_view import LiveView
from dashboard.widgets.metric_row import Metric, metric_row
from dashboard.widgets.notices import show_verbatim

QUERY_TITLES: Mapping[str, str] = {
    Query.STATS: "Counts",
    Query.ARCHIVE: "Archive",
    Query.CAMERA_STATUS: "Camera states",
    Query.ALERTS: "Alerts",
}
"""By query name, in the order in which the page shows them."""
_STATE_BADGES = {
    "waiting": ("gray", "schedule"),
    "running": ("green", "play_circle"),
    "restarting": ("orange", "autorenew"),
    "stopped": ("red", "stop_circle"),
}
"""Colour and icon by state."""


def query_panel(view: LiveView, name: str, now: datetime, zone: ZoneInfo) -> None:
    """Show a query's state, lag, newest batch and state store."""
    progress = view.progress.get(name)
    with st.container(border=True, height="stretch"):
        with st.container(horizontal=True, vertical_alignment="center"):
            title = QUERY_TITLES.get(name, escape_markdown(name))
            st.header(title, anchor=False, width="content")
            if progress is None:
                st.badge("no progress yet", color="gray", icon=":material/help:")
                return
            state_badge(view, progress, now)
        if progress.reason:
            show_verbatim(redact_text(progress.reason))
        metrics = batch_metrics(view, progress)
        if name == Query.STATS or progress.state_rows:
            metrics += state_metrics(view, progress, zone)
        metric_row(metrics, f"query {name}")


def state_badge(view: LiveView, progress: QueryProgress, now: datetime) -> None:
    """Show a query's state and its last update, or that a running query reports nothing."""
    if silence := view.silent_for(progress.query, now):
        duration = format_seconds(silence.total_seconds())
        st.badge(
            f"not heard of for {duration}: killed, or without Kafka",
            color="orange",
            icon=":material/warning:",
        )
        return
    color, icon = _STATE_BADGES.get(progress.state, ("gray", "help"))
    st.badge(
        escape_markdown(progress.state),
        color=color,  # type: ignore[arg-type]
        icon=f":material/{icon}:",
    )
    age = format_age(now - view.reported_at[progress.query])
    st.caption(f"last update {age}", width="content")


def batch_metrics(view: LiveView, progress: QueryProgress) -> list[Metric]:
    """Return a query's lag and its newest batch."""
    table = escape_markdown(progress.table or "")
    lag = [
        Metric(
            "Lag",
            format_number(view.lag(progress.query)),
            meaning("lag"),
        )
    ]
    if progress.table:
        when = "when its newest batch was committed"
        lag = [
            Metric(
                "Files outstanding",
                format_number(progress.files_outstanding),
                f"Files of the table {table} that the query had not read yet {when}.",
            ),
            Metric(
                "Bytes outstanding",
                format_bytes(progress.bytes_outstanding),
                f"Bytes of the table {table} that the query had not read yet {when}.",
            ),
        ]
    rows = f"Rows of the table {table}" if progress.table else "Messages"
    return [
        *lag,
        Metric(
            "Batch duration",
            format_seconds(progress.batch_duration_ms / 1000),
            f"Batch {progress.batch_id}. {meaning('micro-batch')}",
        ),
        Metric("Batch size", format_number(progress.input_rows), f"{rows} in the newest batch."),
    ]


def state_metrics(view: LiveView, progress: QueryProgress, zone: ZoneInfo) -> list[Metric]:
    """Return the state store and the watermark of a stateful query."""
    watermark = progress.watermark and datetime.fromisoformat(progress.watermark)
    # Before the first event, Spark's watermark is the epoch.
    has_watermark = watermark and watermark.year > 1970
    return [
        Metric("State rows", format_number(progress.state_rows), meaning("state")),
        Metric(
            "Rows dropped as late",
            format_number(view.dropped_rows.get(progress.query, 0)),
            "Rows behind the watermark, in the batches that this page has read. Re-sends are "
            "among them, so this does not measure loss. The check does.",
        ),
        Metric(
            "Watermark",
            format_time(watermark, zone) if watermark and has_watermark else "none yet",
            meaning("watermark"),
        ),
    ]
