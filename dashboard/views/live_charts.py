"""The stream's last minutes as lines."""

from collections.abc import Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

import pandas as pd
import streamlit as st

from contract.queries import ARCHIVE, STATS
from dashboard.charts.timeline import timeline
from dashboard.data.live import QUERIES, RATE_OVER, LiveView

HEIGHT = 210
Points = Sequence[tuple[datetime, str, float]]
"""Moment, what, value."""


def charts(view: LiveView, zone: ZoneInfo) -> None:
    """Show the last minutes."""
    freshness = [
        point
        for fresh in view.freshness
        for point in (
            (fresh.committed, "half within", fresh.median),
            (fresh.committed, "nine of ten within", fresh.slow),
        )
    ]
    durations = [
        (
            batch.committed,
            QUERIES.get(batch.progress.query, batch.progress.query),
            batch.progress.batch_duration_ms / 1000,
        )
        for batch in view.batches
    ]
    waiting = [
        (sample.moment, label, float(max(0, sample.arrived - sample.done[name])))
        for sample in view.samples
        for name, label in QUERIES.items()
        if name in sample.done
    ]
    drawn: list[tuple[str, str, Points]] = [
        ("Freshness, seconds", "seconds", freshness),
        ("Messages a second", "a second", throughput(view)),
        ("Batch duration, seconds", "seconds", durations),
        ("Messages waiting", "messages", waiting),
    ]
    for pair in (drawn[:2], drawn[2:]):
        for place, (title, unit, points) in zip(st.columns(2, gap="medium"), pair, strict=True):
            with place:
                st.subheader(title, anchor=False)
                draw(points, zone, unit, title)


def throughput(view: LiveView) -> Points:
    """Return messages in and out a second, each over the time before it."""
    points: list[tuple[datetime, str, float]] = []
    window = RATE_OVER
    first = 0
    for number_of, sample in enumerate(view.samples):
        while sample.moment - view.samples[first].moment > window:
            first += 1
        seconds = (sample.moment - view.samples[first].moment).total_seconds()
        if first == number_of or seconds < 4:
            continue
        then = view.samples[first]
        points.append((sample.moment, "in", (sample.arrived - then.arrived) / seconds))
        points += [
            (sample.moment, label, (sample.done[name] - then.done[name]) / seconds)
            for name, label in ((STATS, "counted"), (ARCHIVE, "archived"))
            if name in sample.done and name in then.done
        ]
    return points


def draw(
    points: Sequence[tuple[datetime, str, float]], zone: ZoneInfo, unit: str, key: str
) -> None:
    """Draw the points as lines, or say that there are none yet."""
    if not points:
        st.caption("Nothing yet; this fills as batches come.")
        return
    frame = pd.DataFrame(points, columns=["moment", "what", "value"])
    st.altair_chart(timeline(frame, zone, unit, HEIGHT), key=key)
