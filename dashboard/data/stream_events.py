"""Moments that explain the charts of the stream: restarts, compactions, checks and alerts."""

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from typing import NamedTuple

from contract.delta_commits import compactions
from dashboard.data.alerts import WHAT_HAPPENED, AlertsView
from dashboard.data.check_run import CheckRun
from dashboard.data.lake.tables import TableView
from dashboard.data.live_view import Restart

_TOGETHER = timedelta(seconds=15)
"""Queries that restart within this time restart together: the pipeline did."""


class StreamEvent(NamedTuple):
    """Something that happened at a moment (UTC)."""

    time: datetime
    name: str


def restart_events(restarts: Iterable[Restart]) -> list[StreamEvent]:
    """Return one event for the queries that restarted together; restarts are oldest first."""
    together: list[list[Restart]] = []
    for restart in restarts:
        if together and restart.time - together[-1][0].time <= _TOGETHER:
            together[-1].append(restart)
        else:
            together.append([restart])
    events = []
    for group in together:
        queries = {each.query for each in group}
        who = queries.pop() if len(queries) == 1 else "pipeline"
        events.append(StreamEvent(group[0].time, f"{who} restarted"))
    return events


def compaction_events(tables: Mapping[str, TableView]) -> list[StreamEvent]:
    """Return an event for each compaction of a table."""
    return [
        StreamEvent(commit.time, f"{name} compacted")
        for name, table in tables.items()
        for commit in compactions(table.commits)
    ]


def check_events(run: CheckRun) -> list[StreamEvent]:
    """Return the event of a check that has ended with a verdict."""
    if run.ended_at is None or run.holds is None:
        return []
    return [StreamEvent(run.ended_at, "the check holds" if run.holds else "the check fails")]


def alert_events(view: AlertsView) -> list[StreamEvent]:
    """Return an event for each alert, at the time of the message that caused it.

    No message causes one about silence: its event is when the alert was sent.
    """
    return [
        StreamEvent(
            view.noticed_at(each),
            f"{each.name or each.device_id} {WHAT_HAPPENED[each.alert].lower()}",
        )
        for each in view.alerts
    ]
