"""Counts summed by zip code and hour, or by zip code and day where there are too many hours."""

from datetime import UTC
from zoneinfo import ZoneInfo

import pandas as pd

from contract.stats import UNPLACED

MAX_HOURS = 24 * 8
"""More hours than these are summed by day."""
MAX_ZIP_CODES = 15
"""Zip codes that a heat map has room for."""


def with_time_buckets(rows: pd.DataFrame, zone: ZoneInfo) -> tuple[pd.DataFrame, str]:
    """Return the rows with the bucket of each (columns from, to, UTC), and ``hour`` or ``day``.

    Days start at midnight in ``zone``.
    """
    if rows["start"].nunique() <= MAX_HOURS:
        return rows.assign(**{"from": rows["start"], "to": rows["end"]}), "hour"
    midnight = rows["start"].dt.tz_convert(zone).dt.tz_localize(None).dt.normalize()
    starts, ends = (
        side.dt.tz_localize(zone, ambiguous=True, nonexistent="shift_forward").dt.tz_convert(UTC)
        for side in (midnight, midnight + pd.Timedelta(days=1))
    )
    return rows.assign(**{"from": starts, "to": ends}), "day"


def counts_by_time(rows: pd.DataFrame, threshold: int) -> pd.DataFrame:
    """Return from, to, in_report and count per bucket.

    ``in_report`` tells whether the count comes from rows above the threshold.
    """
    parts = rows.assign(in_report=rows["count"] > threshold).groupby(["from", "to", "in_report"])
    return pd.DataFrame({"count": parts["count"].sum()}).reset_index()


def counts_by_zip_code(rows: pd.DataFrame) -> pd.DataFrame:
    """Return zip_code, count and highest (the most in an hour), the highest count first."""
    counts = rows.groupby("zip_code", observed=True)["count"]
    sums = pd.DataFrame({"count": counts.sum(), "highest": counts.max()}).reset_index()
    return sums.sort_values("count", ascending=False, ignore_index=True)


def counts_by_zip_code_and_time(
    rows: pd.DataFrame, max_zip_codes: int = MAX_ZIP_CODES
) -> tuple[pd.DataFrame, int]:
    """Return zip_code, from, to and count of the top zip codes, and how many others there are.

    The zip codes are plain text, so that a chart can sort them.
    """
    ranking = counts_by_zip_code(rows)["zip_code"]
    top = rows[rows["zip_code"].isin(ranking.head(max_zip_codes))]
    cells = top.groupby(["zip_code", "from", "to"], observed=True, as_index=False)["count"].sum()
    others = int((ranking[max_zip_codes:] != UNPLACED).sum())
    return cells.assign(zip_code=cells["zip_code"].astype(str)), others
