"""The sightings of the newest hours over all zip codes, compared with hours before."""

from datetime import datetime, timedelta
from typing import NamedTuple

import pandas as pd


class HourTotal(NamedTuple):
    """The sightings of an hour, of the hour before it, and of the same hour of the day before.

    The first hour of all is compared with none: the counts may begin in its midst.
    """

    start: datetime
    """Start of the hour, UTC."""
    sightings: int
    previous: int | None
    """None where there are no counts yet, or only from some moment of that hour on."""
    day_before: int | None

    @property
    def change(self) -> float | None:
        """The change since the hour before, as a ratio: 0.1 for a tenth more."""
        return _change(self.previous, self.sightings)

    @property
    def change_in_a_day(self) -> float | None:
        """The change since the same hour of the day before, as a ratio."""
        return _change(self.day_before, self.sightings)


def newest_hour(rows: pd.DataFrame, now: datetime) -> HourTotal | None:
    """Return the newest hour that has started; more messages of it may still come."""
    started = rows["start"] <= now
    return _hour_total(rows, rows["start"][started].max()) if started.any() else None


def last_full_hour(rows: pd.DataFrame, now: datetime, all_hours: pd.DataFrame) -> HourTotal | None:
    """Return the newest hour of ``rows`` that is followed by sightings of a later hour.

    The later hour and the previous one may lie outside the selected ``rows``, so they are looked
    up in ``all_hours``.
    """
    newest = newest_hour(all_hours, now)
    is_full = rows["start"] < newest.start if newest else rows["start"] < now
    return _hour_total(all_hours, rows["start"][is_full].max()) if is_full.any() else None


def _hour_total(rows: pd.DataFrame, start: pd.Timestamp) -> HourTotal:
    first = rows["start"].min()

    def total(hour: pd.Timestamp) -> int:
        return int(rows["count"][rows["start"] == hour].sum())

    before = (start - timedelta(hours=1), start - timedelta(days=1))
    compared = (total(hour) if hour > first else None for hour in before)
    return HourTotal(start.to_pydatetime(), total(start), *compared)


def _change(before: int | None, after: int) -> float | None:
    """Return a relative change; None where nothing was before."""
    return after / before - 1 if before else None
