"""The counts in the form that pages draw from, made once per refresh for all viewers."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import numpy as np
import pandas as pd

from contract.counts import Counts
from contract.reading import open_consumer
from contract.redaction import redact_text
from contract.stats import StatsKey

SHOWN_UNREADABLE = 100
"""How many of the records that are no counts are kept to be shown."""


@dataclass(frozen=True)
class CountsView:
    """The counts as of one refresh; not to be changed, since all viewers share it."""

    rows: pd.DataFrame
    """zip_code, start and end (UTC, hour), count; in the report's order."""
    total: int
    """Sightings over all zip codes and hours."""
    zip_codes: int
    """How many different zip codes there are."""
    updated: datetime | None
    """Timestamp of the newest record, UTC."""
    unreadable: int
    """How many records are no counts."""
    unreadable_newest: tuple[str, ...]
    """The newest of them, each with its position and what is wrong."""

    def above(self, threshold: int) -> pd.DataFrame:
        """Return the report: the rows with a count above the threshold, highest first."""
        how_many = np.searchsorted(-self.rows["count"].to_numpy(), -threshold)
        return self.rows.head(int(how_many))

    def by_hour(self, threshold: int, now: datetime, span: timedelta) -> pd.DataFrame:
        """Return one row per hour and part, for hours up to now that lie within ``span``.

        Columns start and end (UTC), in_report (whether the part is that of the zip codes above
        the threshold) and count. The span ends with the newest hour that has begun.
        """
        rows = self.rows[self.rows["start"] <= now]
        rows = rows[rows["start"] > rows["start"].max() - span]
        hours: pd.DataFrame = (
            rows.assign(in_report=rows["count"] > threshold)
            .groupby(["start", "end", "in_report"], as_index=False)["count"]
            .sum()
        )
        return hours


def read_counts(bootstrap_servers: str) -> Iterator[CountsView]:
    """Yield the counts as of now each time; UserError when Kafka does not answer."""
    counts, view, offsets = Counts(), None, None
    with open_consumer(bootstrap_servers) as consumer:
        while True:
            counts.refresh(consumer)
            if view is None or counts.next_offsets != offsets:
                view, offsets = counts_view(counts), counts.next_offsets
            yield view


def counts_view(counts: Counts) -> CountsView:
    """Draw up the view of the counts folded so far."""
    rows = rows_of(counts.by_key)
    return CountsView(
        rows=rows,
        total=sum(counts.by_key.values()),
        zip_codes=rows["zip_code"].nunique(),
        updated=counts.updated,
        unreadable=len(counts.unreadable),
        unreadable_newest=tuple(map(redact_text, counts.unreadable[: -SHOWN_UNREADABLE - 1 : -1])),
    )


def rows_of(by_key: Mapping[StatsKey, int]) -> pd.DataFrame:
    """Return zip_code, start, end and count, in the report's order (highest count first)."""
    rows = pd.DataFrame(
        {
            "zip_code": [key.zip_code for key in by_key],
            "start": _instants([key.start for key in by_key]),
            "end": _instants([key.end for key in by_key]),
            "count": np.fromiter(by_key.values(), np.int64, len(by_key)),
        }
    )
    order = ["count", "zip_code", "start"]
    return rows.sort_values(order, ascending=[False, True, True], ignore_index=True)


def _instants(moments: list[datetime]) -> "pd.Series[pd.Timestamp]":
    """Return moments as a column with a time zone; in microseconds, which hold every year."""
    numbers = np.fromiter((moment.timestamp() * 1e6 for moment in moments), np.int64, len(moments))
    return pd.Series(numbers.astype("datetime64[us]")).dt.tz_localize(UTC)
