"""Badges that show whether the counts are complete, up to date and checked."""

from datetime import datetime
from typing import Literal, NamedTuple

import streamlit as st

from contract.quantities import format_quantity
from contract.queries import Query
from dashboard.data.background_value import Snapshot
from dashboard.data.check_run import CheckRunner
from dashboard.data.formatting import format_age, format_seconds
from dashboard.data.lag_limit import counts_lag_seconds, lag_limit
from dashboard.data.live_view import LiveView

Color = Literal["green", "orange", "red", "blue", "gray"]
_LIVE_LATENCY_S = 60.0
"""A longer one is that of messages which waited for the pipeline, as a history does: no praise."""


class Badge(NamedTuple):
    """A badge: its text, colour and Material icon."""

    text: str
    color: Color
    icon: str


def show_status_badges(
    last_update: datetime | None,
    live: Snapshot[LiveView],
    checks: CheckRunner,
    now: datetime,
) -> None:
    """Show the badges in one line; ``last_update`` is when a count last changed, UTC."""
    badges = [
        *completeness_badges(live, now),
        update_badge(last_update, now),
        check_badge(checks, now),
    ]
    with st.container(horizontal=True, gap="small"):
        for badge in badges:
            st.badge(badge.text, color=badge.color, icon=f":material/{badge.icon}:")


def completeness_badges(live: Snapshot[LiveView], now: datetime) -> list[Badge]:
    """Return how far the counts lag behind Kafka, and their latency if they are complete."""
    view = live.value
    if live.is_unavailable(now):
        return [Badge("Lag unknown", "orange", "cloud_off")]
    if view is None or Query.STATS not in view.progress:
        return [Badge("No progress from the pipeline yet", "gray", "help")]
    badge = _lag_badge(view, now)
    latency = view.latest_latency
    if latency is None or badge.color == "orange":
        return [badge]
    color: Color = "green" if latency.p90 <= _LIVE_LATENCY_S else "gray"
    return [badge, Badge(f"p90 latency {format_seconds(latency.p90)}", color, "bolt")]


def _lag_badge(view: LiveView, now: datetime) -> Badge:
    progress, lag = view.progress[Query.STATS], view.lag(Query.STATS)
    state = progress.state
    lag_text = f"lag {format_quantity(lag, 'message')}"
    if state == "stopped" and not lag:
        return Badge("All messages counted, query stopped", "green", "check")
    if state != "running":
        return Badge(f"Counts query {state}, {lag_text}", "orange", "warning")
    if silence := view.silent_for(Query.STATS, now):
        duration = format_seconds(silence.total_seconds())
        text = f"Counts query not heard of for {duration}, {lag_text}"
        return Badge(text, "orange", "warning")
    if lag <= lag_limit(view.input_rate(), counts_lag_seconds(progress)):
        text = f"Counts up to date, {lag_text}" if lag else "All messages counted"
        return Badge(text, "green", "check")
    return Badge(f"Catching up, {lag_text}", "orange", "hourglass_top")


def update_badge(last_update: datetime | None, now: datetime) -> Badge:
    """Return when a count last changed."""
    text = f"Counts updated {format_age(now - last_update)}" if last_update else "No update yet"
    return Badge(text, "gray", "update")


def check_badge(checks: CheckRunner, now: datetime) -> Badge:
    """Return what the last check found."""
    if checks.current.is_running:
        return Badge("Check running", "blue", "fact_check")
    last = checks.last_completed
    if last.ended_at is None:
        return Badge("Check not run yet", "gray", "fact_check")
    age = format_age(now - last.ended_at)
    if last.holds:
        return Badge(f"Check passed {age}", "green", "verified")
    return Badge(f"Check found differences {age}", "red", "report")
