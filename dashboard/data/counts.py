"""The counts in the form that pages draw from, made once per refresh for all viewers."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

import numpy as np
import pandas as pd

from contract.connections import open_consumer
from contract.counts import Counts
from contract.redaction import redact_text
from contract.stats import StatsKey
from dashboard.widgets.selection_controls import Selection

SHOWN_UNREADABLE = 100
"""How many of the records that are no counts are kept to be shown."""


class HourTotal(NamedTuple):
    """The sightings of an hour, and of the hour before it."""

    start: datetime
    sightings: int
    before: int

    @property
    def change(self) -> float | None:
        """The change against the hour before, 0.1 for a tenth more; None after an empty hour."""
        return self.sightings / self.before - 1 if self.before else None


@dataclass(frozen=True)
class CountsView:
    """The counts as of one refresh; not to be changed, since all viewers share it."""

    rows: pd.DataFrame
    """zip_code (categories), start and end (UTC, hour), count; in the report's order."""
    updated: datetime | None = None
    """Timestamp of the newest record, UTC."""
    unreadable: int = 0
    """How many records are no counts."""
    unreadable_newest: tuple[str, ...] = ()
    """The newest of them, each with its position and what is wrong."""

    @property
    def total(self) -> int:
        """Sightings over all zip codes and hours."""
        return int(self.rows["count"].sum())

    @property
    def zip_codes(self) -> list[str]:
        """The zip codes, in order."""
        codes = self.rows["zip_code"].cat
        present = np.unique(codes.codes)
        return [str(codes.categories[number]) for number in present]

    def above(self, threshold: int) -> pd.DataFrame:
        """Return the report: the rows with a count above the threshold, highest first."""
        how_many = np.searchsorted(-self.rows["count"].to_numpy(), -threshold)
        return self.rows.head(int(how_many))

    def chosen(self, selection: Selection, now: datetime) -> pd.DataFrame:
        """Return the rows of the chosen zip codes and hours, in the report's order.

        A span ends with the newest hour that has begun.
        """
        rows = self.of_zip_codes(selection.zip_codes)
        start = rows["start"]
        if selection.span is not None:
            begun = self.rows["start"][self.rows["start"] <= now]
            keep = (start <= now) & (start > begun.max() - selection.span)
        else:
            keep = pd.Series(True, index=rows.index)
            if selection.begin is not None:
                keep &= start >= selection.begin
            if selection.end is not None:
                keep &= start < selection.end
        return rows if keep.all() else rows[keep]

    def of_zip_codes(self, zip_codes: tuple[str, ...]) -> pd.DataFrame:
        """Return the rows of these zip codes, or of all if none is named."""
        if not zip_codes:
            return self.rows
        return self.rows[self.rows["zip_code"].isin(zip_codes)]

    def part(self, selection: Selection, now: datetime) -> "CountsView":
        """Return the view of what is chosen."""
        return CountsView(self.chosen(selection, now), self.updated)


def newest_hour(rows: pd.DataFrame, now: datetime) -> HourTotal | None:
    """Return the newest hour that has begun: it may be going on, or be where the messages ended."""
    begun = rows["start"] <= now
    return _total(rows, rows["start"][begun].max()) if begun.any() else None


def last_full_hour(rows: pd.DataFrame, now: datetime, among: pd.DataFrame) -> HourTotal | None:
    """Return the newest hour of ``rows`` after which there are sightings of a later one.

    The later hour, and the one before, may lie outside what is chosen: they are looked up
    ``among`` all hours.
    """
    newest = newest_hour(among, now)
    full = rows["start"] < newest.start if newest else rows["start"] < now
    return _total(among, rows["start"][full].max()) if full.any() else None


def _total(rows: pd.DataFrame, start: pd.Timestamp) -> HourTotal:
    hour, before = (
        int(rows["count"][rows["start"] == moment].sum())
        for moment in (start, start - timedelta(hours=1))
    )
    return HourTotal(start.to_pydatetime(), hour, before)


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
    return CountsView(
        rows=rows_of(counts.by_key),
        updated=counts.updated,
        unreadable=len(counts.unreadable),
        unreadable_newest=tuple(map(redact_text, counts.unreadable[: -SHOWN_UNREADABLE - 1 : -1])),
    )


def rows_of(by_key: Mapping[StatsKey, int]) -> pd.DataFrame:
    """Return zip_code, start, end and count, in the report's order (highest count first)."""
    zip_codes = [key.zip_code for key in by_key]
    known = pd.Index(sorted(set(zip_codes)), dtype=object)
    rows = pd.DataFrame(
        {
            "zip_code": pd.Categorical(zip_codes, categories=known),
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
