"""The sightings of the newest hours over all zip codes, compared with the hour before."""

from datetime import datetime, timedelta
from typing import NamedTuple

import pandas as pd


class HourTotal(NamedTuple):
    """The sightings of an hour and of the hour before it."""

    start: datetime
    """Start of the hour, UTC."""
    sightings: int
    previous: int

    @property
    def change(self) -> float | None:
        """The relative change, 0.1 for a tenth more; None after an hour without sightings."""
        return self.sightings / self.previous - 1 if self.previous else None


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
    sightings, previous = (
        int(rows["count"][rows["start"] == hour].sum())
        for hour in (start, start - timedelta(hours=1))
    )
    return HourTotal(start.to_pydatetime(), sightings, previous)
