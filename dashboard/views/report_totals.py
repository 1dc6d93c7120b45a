"""The key figures of the page Report."""

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from contract.glossary import meaning
from contract.stats import UNPLACED
from dashboard.data.counts import CountsView
from dashboard.data.formatting import (
    format_change,
    format_number,
    format_quantity,
    to_zone,
)
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
            note=f"since {first:%a %d %b, %H:%M}",
        ),
        Metric(
            f"Report rows, above {threshold}",
            format_number(len(selected.report(selection.threshold))),
            f"Each row is a zip code and hour with more than {threshold} sightings.",
        ),
        _zip_codes_metric(selected.zip_codes),
    ]
    all_hours = view.rows_of(selection.zip_codes)
    full_hour = last_full_hour(selected.rows, now, all_hours)
    if full_hour:
        metrics.append(_full_hour_metric(full_hour, zone))
    newest = newest_hour(selected.rows, now)
    if newest:
        metrics.append(
            Metric(
                f"Newest hour, {to_zone(newest.start, zone):%H:%M}",
                format_number(newest.sightings),
                "More messages of this hour may still come.",
                note="so far",
            )
        )
    metric_row(metrics, "report")


def _zip_codes_metric(zip_codes: list[str]) -> Metric:
    placed = [each for each in zip_codes if each != UNPLACED]
    return Metric(
        "Zip codes",
        format_number(len(placed)),
        f"With sightings in the selected hours. Not among them: {meaning('unplaced')}",
        note=f"and {UNPLACED}" if len(placed) < len(zip_codes) else None,
    )


def _full_hour_metric(hour: HourTotal, zone: ZoneInfo) -> Metric:
    """Return the figure, compared with the same hour of the day before, or else the hour before."""
    start = to_zone(hour.start, zone)
    before = f"{start - timedelta(hours=1):%H:%M}"
    change, since = (
        (hour.change, before)
        if hour.change_in_a_day is None
        else (hour.change_in_a_day, "the day before")
    )
    return Metric(
        f"Last full hour, {start:%H:%M}",
        format_number(hour.sightings),
        f"The hour before: {_sightings(hour.previous)}. "
        f"The same hour of the day before: {_sightings(hour.day_before)}.",
        None if change is None else f"{format_change(change)} vs {since}",
    )


def _sightings(total: int | None) -> str:
    return "not known" if total is None else format_quantity(total, "sighting")
