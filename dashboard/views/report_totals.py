"""The key figures of the page Report."""

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pandas as pd

from contract.glossary import meaning
from contract.quantities import format_quantity
from contract.stats import UNPLACED
from dashboard import sources
from dashboard.data.counts import CountsView
from dashboard.data.formatting import format_change, format_day, format_number, to_zone
from dashboard.data.hour_totals import HourTotal, last_full_hour, newest_hour
from dashboard.data.selection import Selection
from dashboard.widgets.metric_row import Metric, metric_row


def report_totals(
    view: CountsView,
    selected: CountsView,
    selection: Selection,
    now: datetime,
    zone: ZoneInfo,
) -> None:
    """Show totals of the selected counts; ``view`` has those of all hours."""
    threshold = format_number(selection.threshold)
    first = to_zone(selected.rows["start"].min(), zone)
    metrics = [
        Metric(
            "Sightings",
            format_number(selected.total),
            f"In the selected hours and zip codes. {meaning('sighting')}",
            note=f"since {format_day(first, now)} {first:%H:%M}",
        ),
        Metric(
            f"Report rows, above {threshold}",
            format_number(len(selected.report(selection.threshold))),
            f"Each row is a zip code and hour with more than {threshold} sightings.",
        ),
        _zip_codes_metric(selected.zip_codes),
    ]
    lateness = sources.settings().lateness
    metrics += hour_metrics(
        selected.rows, view.rows_of(selection.zip_codes), now, zone, lateness=lateness
    )
    metric_row(metrics, "report")


def hour_metrics(
    rows: pd.DataFrame,
    all_hours: pd.DataFrame,
    now: datetime,
    zone: ZoneInfo,
    *,
    lateness: timedelta,
) -> list[Metric]:
    """Return the figures of the last full hour and of the newest one, where they are not the same.

    ``rows`` are the selected counts, ``all_hours`` those of all hours. The newest hour is open
    until ``lateness`` after its end, as long as a message of then can count.
    """
    full_hour, newest = last_full_hour(rows, now, all_hours), newest_hour(rows, now)
    metrics = [_full_hour_metric(full_hour, now, zone)] if full_hour else []
    if newest is None or (full_hour and newest.start == full_hour.start):
        return metrics
    is_open = newest.start + timedelta(hours=1) + lateness > now
    return [
        *metrics,
        Metric(
            f"Newest hour, {_time_of(newest, now, zone)}",
            format_number(newest.sightings),
            "More messages of this hour may still come."
            if is_open
            else "The newest of the selected hours in which anybody was seen.",
            note="so far" if is_open else None,
        ),
    ]


def _zip_codes_metric(zip_codes: list[str]) -> Metric:
    placed = [each for each in zip_codes if each != UNPLACED]
    return Metric(
        "Zip codes",
        format_number(len(placed)),
        f"With sightings in the selected hours. Not among them: {meaning('unplaced')}",
        note=f"and {UNPLACED}" if len(placed) < len(zip_codes) else None,
    )


def _full_hour_metric(hour: HourTotal, now: datetime, zone: ZoneInfo) -> Metric:
    """Return the figure, compared with the same hour of the day before, or else the hour before."""
    start = to_zone(hour.start, zone)
    before = f"{start - timedelta(hours=1):%H:%M}"
    change, since = (
        (hour.change, before)
        if hour.change_in_a_day is None
        else (hour.change_in_a_day, "the day before")
    )
    return Metric(
        f"Last full hour, {_time_of(hour, now, zone)}",
        format_number(hour.sightings),
        f"The hour before: {_sightings(hour.previous)}. "
        f"The same hour of the day before: {_sightings(hour.day_before)}.",
        None if change is None else f"{format_change(change)} vs {since}",
    )


def _time_of(hour: HourTotal, now: datetime, zone: ZoneInfo) -> str:
    """Write when an hour starts, with the day unless it is today."""
    start = to_zone(hour.start, zone)
    is_today = start.date() == to_zone(now, zone).date()
    return f"{start:%H:%M}" if is_today else f"{format_day(start, now)} {start:%H:%M}"


def _sightings(total: int | None) -> str:
    return "not known" if total is None else format_quantity(total, "sighting")
