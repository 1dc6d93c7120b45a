"""The picture of the whole pipeline, made of what the dashboard has read."""

from datetime import datetime, timedelta

from contract.glossary import meaning
from contract.queries import Query
from dashboard.data.background_value import LAKE_STALE_AFTER, Snapshot
from dashboard.data.completeness import complete_until, seconds_behind
from dashboard.data.formatting import format_number, format_rate, format_seconds
from dashboard.data.live_view import LiveView
from dashboard.data.picture.cameras import cameras_station
from dashboard.data.picture.query import archive_station, counts_station
from dashboard.data.picture.station import NOTHING, Condition, Flow, PipelinePicture, Station, speed


def pipeline_picture(
    live: Snapshot[LiveView],
    *,
    is_reachable: bool,
    cameras: int,
    quarantined: Snapshot[int | None],
    archive_interval: timedelta,
    now: datetime,
) -> PipelinePicture:
    """Return the picture of the stream as last read.

    ``is_reachable`` tells whether Kafka answers, ``cameras`` how many cameras are known (0 if
    nothing tells), ``quarantined`` the rows in quarantine as last read (None if there is no such
    table).
    """
    view = live.value or LiveView()
    stations = {
        each.name: each
        for each in (
            cameras_station(view.samples, cameras, now),
            _kafka(live, view, is_reachable, now),
            counts_station(view, now),
            archive_station(view, archive_interval, now),
            _quarantine(quarantined, now),
        )
    }
    if not is_reachable:  # what was read last may be long past
        for name in ("cameras", "counts", "archive"):
            stations[name] = _not_known_now(stations[name])
    report = _report(live, is_reachable, stations["counts"].condition, now)
    return PipelinePicture(
        (*stations.values(), report),
        _flows(view, stations, is_reachable, quarantined.value),
    )


def _kafka(live: Snapshot[LiveView], view: LiveView, is_reachable: bool, now: datetime) -> Station:
    value = format_number(view.messages) if view.end_offsets else NOTHING

    def station(note: str, condition: Condition) -> Station:
        return Station("kafka", "Kafka", value, note, condition, meaning("topic"))

    if live.is_pending:
        return station("not read yet", "unknown")
    if is_reachable:
        return station("messages", "well")
    seconds = live.age(now).total_seconds()
    for_how_long = f" for {format_seconds(seconds)}" if live.read_at else ""
    if live.problem:
        return station(f"away{for_how_long}", "down")
    return station(f"not read{for_how_long}", "unknown")


def _not_known_now(station: Station) -> Station:
    return station._replace(note="not known now", condition="unknown")


def _quarantine(rows: Snapshot[int | None], now: datetime) -> Station:
    def station(value: str, note: str, condition: Condition) -> Station:
        return Station("quarantine", "Quarantine", value, note, condition, meaning("quarantine"))

    if rows.value is None:
        return station(NOTHING, "not known yet", "unknown")
    known = station(format_number(rows.value), "rows", "well")
    return _not_known_now(known) if rows.is_unavailable(now, LAKE_STALE_AFTER) else known


def _report(
    live: Snapshot[LiveView], is_reachable: bool, counts: Condition, now: datetime
) -> Station:
    """Return how far the report is behind; it is no better than the counts."""
    complete = complete_until(live)
    value = format_seconds(seconds_behind(complete, now)) if complete else NOTHING
    note = "behind live" if complete else "not known yet"
    condition: Condition = "unknown" if complete is None else "waiting"
    if is_reachable and complete and counts in ("well", "unknown"):
        condition = "well"
    return Station("report", "Report", value, note, condition, meaning("report"))


def _flows(
    view: LiveView, stations: dict[str, Station], is_reachable: bool, quarantined: int | None
) -> tuple[Flow, ...]:
    rates = {
        ("cameras", "kafka"): (view.input_rate(), -1, 0),
        ("kafka", "counts"): (view.query_rate(Query.STATS), _batch(view, Query.STATS), 0),
        ("kafka", "archive"): (view.query_rate(Query.ARCHIVE), _batch(view, Query.ARCHIVE), 0),
        ("counts", "report"): (view.counts_rate(), _batch(view, Query.STATS), 1),
    }
    units = {"report": "counts"}  # all others pass on messages
    flows = [
        Flow(
            source,
            target,
            format_rate(rate, units.get(target, "")) if is_reachable and rate is not None else "",
            speed(rate) if is_reachable else 0,
            stations[target if target != "report" else source].condition,
            committed,
            step,
        )
        for (source, target), (rate, committed, step) in rates.items()
    ]
    bad = Flow(
        "archive", "quarantine", "", 0, "well", -1 if quarantined is None else quarantined, 1
    )
    return (*flows, bad)


def _batch(view: LiveView, query: str) -> int:
    progress = view.progress.get(query)
    return progress.batch_id if progress else -1
