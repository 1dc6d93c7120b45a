"""What the charts of the page Live mark: drills as spans, and other things as moments."""

from collections.abc import Sequence
from datetime import datetime

import pandas as pd

from contract.drills import DrillMark
from dashboard import sources
from dashboard.charts.timeline import TimelineMarks
from dashboard.data.live_view import LiveView
from dashboard.data.stream_events import (
    StreamEvent,
    alert_events,
    check_events,
    compaction_events,
    restart_events,
)


def live_marks(view: LiveView, first: datetime, last: datetime) -> TimelineMarks:
    """Return the drills, restarts, compactions, checks and alerts between two times."""
    lake, alerts = sources.lake().read().value, sources.alerts().read().value
    events = [
        *restart_events(view.restarts),
        *(compaction_events(lake.tables) if lake else []),
        *check_events(sources.check_runner().last_completed),
    ]
    return TimelineMarks(
        drill_spans(view.drills, first, last),
        _between(events, first, last),
        _between(alert_events(alerts) if alerts else [], first, last),
    )


def drill_spans(drills: Sequence[DrillMark], first: datetime, last: datetime) -> pd.DataFrame:
    """Return start, end and name of each drill as far as it lies between two times."""
    spans = [
        (max(each.begun_at, first), min(each.ended_at or last, last), each.drill)
        for each in drills
        if each.begun_at <= last and (each.ended_at or last) >= first
    ]
    return pd.DataFrame(spans, columns=["start", "end", "name"])


def _between(events: Sequence[StreamEvent], first: datetime, last: datetime) -> pd.DataFrame:
    inside = [each for each in events if first <= each.time <= last]
    return pd.DataFrame(inside, columns=list(StreamEvent._fields))
