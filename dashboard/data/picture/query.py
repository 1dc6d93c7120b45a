"""The stations of the two queries that read nest-logs: how far they are, and whether they run."""

from datetime import datetime, timedelta

from contract.glossary import meaning
from contract.queries import Query
from dashboard.data.formatting import format_number, format_seconds
from dashboard.data.lag_limit import COUNTS_LAG_SECONDS, counts_lag_seconds, lag_limit
from dashboard.data.live_view import LiveView
from dashboard.data.picture.station import NOTHING, Condition, Station


def counts_station(view: LiveView, now: datetime) -> Station:
    """Return the station of the query stats: how many messages are counted."""
    progress = view.progress.get(Query.STATS)
    return Station(
        "counts",
        "Counts",
        _committed(view, Query.STATS),
        *_state(view, Query.STATS, "all counted", counts_lag_seconds(progress), now),
        meaning("count"),
    )


def archive_station(view: LiveView, interval: timedelta, now: datetime) -> Station:
    """Return the station of the query archive, which commits at least once per ``interval``."""
    progress = view.progress.get(Query.ARCHIVE)
    batch_s = progress.batch_duration_ms / 1000 if progress else 0.0
    seconds = interval.total_seconds() + 2 * batch_s + COUNTS_LAG_SECONDS
    return Station(
        "archive",
        "Archive",
        _committed(view, Query.ARCHIVE),
        *_state(view, Query.ARCHIVE, "all archived", seconds, now),
        meaning("archive"),
    )


def _committed(view: LiveView, query: str) -> str:
    return format_number(sum(view.committed(query).values())) if query in view.progress else NOTHING


def _state(
    view: LiveView, query: str, all_done: str, seconds: float, now: datetime
) -> tuple[str, Condition]:
    """Return a query's note and condition; ``seconds`` of messages may wait and all is well."""
    progress, lag = view.progress.get(query), view.lag(query)
    if progress is None:
        return "no progress yet", "unknown"
    waiting = f"{format_number(lag)} waiting"
    if progress.state == "stopped":
        return (f"stopped: {waiting}", "down") if lag else ("stopped, all done", "unknown")
    if progress.state == "waiting":
        return "starts later", "waiting" if lag else "unknown"
    if progress.state != "running":
        return progress.state, "down"
    if silence := view.silent_for(query, now):
        return f"silent for {format_seconds(silence.total_seconds())}", "down"
    if lag > lag_limit(view.input_rate(), seconds):
        return waiting, "waiting"
    return (waiting if lag else all_done), "well"
