"""The counts as a table that pages draw from, made once per refresh for all viewers."""

from collections.abc import Generator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

import numpy as np
import pandas as pd

from contract.counts import Counts
from contract.kafka.cluster import Kafka
from contract.kafka.connections import open_consumer
from contract.redaction import redact_text
from contract.stats import StatsKey
from dashboard.data.selection import Selection


@dataclass(frozen=True)
class CountsView:
    """The counts as of one refresh; read-only, since all viewers share it."""

    rows: pd.DataFrame
    """zip_code (category), start and end (UTC) of the hour, count; in the report's order."""
    last_update: datetime | None = None
    """Timestamp of the newest record of nest-camera-stats, UTC."""
    unreadable_total: int = 0
    """How many records of nest-camera-stats are no counts."""
    unreadable: tuple[str, ...] = ()
    """The newest of them, each with its position and what is wrong."""

    @property
    def total(self) -> int:
        """Sightings over all zip codes and hours."""
        return int(self.rows["count"].sum())

    @property
    def zip_codes(self) -> list[str]:
        """The zip codes, sorted."""
        column = self.rows["zip_code"].cat
        return [str(column.categories[code]) for code in np.unique(column.codes)]

    def report(self, threshold: int) -> pd.DataFrame:
        """Return the rows with a count above the threshold, highest first."""
        length = np.searchsorted(-self.rows["count"].to_numpy(), -threshold)
        return self.rows.head(int(length))

    def select(self, selection: Selection, now: datetime) -> "CountsView":
        """Return the view of the selected zip codes and hours, in the report's order.

        A lookback ends with the newest hour that has started.
        """
        rows = self.rows_of(selection.zip_codes)
        start = rows["start"]
        if selection.lookback is not None:
            started = self.rows["start"][self.rows["start"] <= now]
            keep = (start <= now) & (start > started.max() - selection.lookback)
        else:
            keep = pd.Series(True, index=rows.index)
            if selection.start is not None:
                keep &= start >= selection.start
            if selection.end is not None:
                keep &= start < selection.end
        return CountsView(rows if keep.all() else rows[keep], self.last_update)

    def newest_hours(self, number: int, now: datetime) -> list[datetime]:
        """Return the starts of the newest hours that have begun, oldest first, UTC."""
        starts = self.rows["start"].drop_duplicates()
        newest = starts[starts <= now].sort_values().tail(number)
        return [start.to_pydatetime() for start in newest]

    def rows_of(self, zip_codes: tuple[str, ...]) -> pd.DataFrame:
        """Return the rows of these zip codes; of all if none is given."""
        if not zip_codes:
            return self.rows
        return self.rows[self.rows["zip_code"].isin(zip_codes)]


def read_counts(kafka: Kafka) -> Generator[CountsView, None, None]:
    """Yield the current counts each time; UserError when Kafka does not answer.

    Without new records the same view comes again.
    """
    counts, view, offsets = Counts(), None, None
    with open_consumer(kafka) as consumer:
        while True:
            counts.refresh(consumer)
            if view is None or counts.next_offsets != offsets:
                view, offsets = counts_view(counts), counts.next_offsets
            yield view


def counts_view(counts: Counts) -> CountsView:
    """Return the view of the counts folded so far; unreadable records without credentials."""
    return CountsView(
        rows=_count_rows(counts.by_key),
        last_update=counts.updated,
        unreadable_total=counts.unreadable_total,
        unreadable=tuple(map(redact_text, reversed(counts.unreadable))),
    )


def _count_rows(by_key: Mapping[StatsKey, int]) -> pd.DataFrame:
    """Return zip_code, start, end and count in the report's order, highest count first."""
    zip_codes = [key.zip_code for key in by_key]
    categories = pd.Index(sorted(set(zip_codes)), dtype=object)
    rows = pd.DataFrame(
        {
            "zip_code": pd.Categorical(zip_codes, categories=categories),
            "start": _utc_column([key.start for key in by_key]),
            "end": _utc_column([key.end for key in by_key]),
            "count": np.fromiter(by_key.values(), np.int64, len(by_key)),
        }
    )
    order = ["count", "zip_code", "start"]
    return rows.sort_values(order, ascending=[False, True, True], ignore_index=True)


def _utc_column(instants: list[datetime]) -> "pd.Series[pd.Timestamp]":
    """Return instants as a column in UTC, in microseconds: nanoseconds cannot hold every year."""
    numbers = np.fromiter((each.timestamp() * 1e6 for each in instants), np.int64, len(instants))
    return pd.Series(numbers.astype("datetime64[us]")).dt.tz_localize(UTC)
