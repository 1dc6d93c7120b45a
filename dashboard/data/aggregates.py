"""Counts put together by hour, or by the viewer's day where there are too many hours to show."""

from datetime import UTC
from zoneinfo import ZoneInfo

import pandas as pd

MOST_BARS = 24 * 8
"""More hours than these are put together to days."""
MOST_LINES = 15
"""Zip codes that a heat map has room for."""
REST = "all others"


def time_buckets(rows: pd.DataFrame, zone: ZoneInfo) -> tuple[pd.DataFrame, str]:
    """Return the rows with the bucket that each belongs to (columns from, to, UTC), and its name.

    The name is ``hour`` or ``day``; days begin at midnight in ``zone``.
    """
    if rows["start"].nunique() <= MOST_BARS:
        return rows.assign(**{"from": rows["start"], "to": rows["end"]}), "hour"
    midnight = rows["start"].dt.tz_convert(zone).dt.tz_localize(None).dt.normalize()
    starts, ends = (
        side.dt.tz_localize(zone, ambiguous=True, nonexistent="shift_forward").dt.tz_convert(UTC)
        for side in (midnight, midnight + pd.Timedelta(days=1))
    )
    return rows.assign(**{"from": starts, "to": ends}), "day"


def by_time(rows: pd.DataFrame, threshold: int) -> pd.DataFrame:
    """Return from, to, in_report (is it of rows above the threshold) and count, by bucket."""
    parts = rows.assign(in_report=rows["count"] > threshold).groupby(["from", "to", "in_report"])
    return pd.DataFrame({"count": parts["count"].sum()}).reset_index()


def by_zip_code(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the count of each zip code, highest first: zip_code, count, highest (of an hour)."""
    counts = rows.groupby("zip_code", observed=True)["count"]
    sums = pd.DataFrame({"count": counts.sum(), "highest": counts.max()}).reset_index()
    return sums.sort_values("count", ascending=False, ignore_index=True)


def by_zip_code_and_time(rows: pd.DataFrame, most: int = MOST_LINES) -> tuple[pd.DataFrame, int]:
    """Return zip_code, from, to and count of the largest zip codes, and how many are left out.

    The zip codes are plain text, so that a chart can sort them.
    """
    ranking = by_zip_code(rows)["zip_code"]
    shown = rows[rows["zip_code"].isin(ranking.head(most))]
    cells = shown.groupby(["zip_code", "from", "to"], observed=True, as_index=False)["count"].sum()
    return cells.assign(zip_code=cells["zip_code"].astype(str)), max(0, len(ranking) - most)
