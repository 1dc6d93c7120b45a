"""What the check has found in Kafka and in the lake; nothing here says whether it is right."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from check.alerts import AlertComparison
from check.camera_states import StateComparison
from check.count_comparison import CountComparison
from check.counted_cases import CountedCases
from check.positions import OffsetRanges
from check.row_comparison import RowComparison
from check.sightings import Outcome
from check.streamed_sightings import SightingComparison
from contract.verdict import InjectedDirt


@dataclass(frozen=True)
class TableFindings:
    """A Delta table, beside what the records of nest-logs must have become in it."""

    columns: list[str] | None
    """None if there is no such table."""
    comparison: RowComparison
    expired_rows: int = 0
    """Rows of records that retention has removed from nest-logs; they are not judged."""
    expired_records: int = 0
    """Records that retention has removed and of which the table has rows."""


@dataclass(frozen=True)
class StatusFindings:
    """The table camera_status, beside the newest row of each camera in the archive."""

    columns: list[str] | None
    """None if there is no such table."""
    has_committed: bool
    """Whether the query has told how far it has come."""
    comparison: StateComparison = field(default_factory=StateComparison)
    alerts: AlertComparison = field(default_factory=AlertComparison)
    unknown_coverage: str | None = None
    """Why it is not known what the query has taken in, where it has told."""
    uncompared_alerts: str | None = None
    """Why the newest alerts are not compared with the table's states."""


@dataclass(frozen=True)
class Findings:
    """Everything that a run of the check has read and recounted."""

    bounds: OffsetRanges
    """By partition of nest-logs, the offset of its first record and its end."""
    committed: Mapping[str, Mapping[int, int]]
    """By query and partition, the offsets up to which it had committed when the check began."""
    must_be_complete: bool
    """Whether the queries were to have committed all of nest-logs, as after a bounded run."""
    records: int
    """Records of nest-logs that were recounted."""
    lake: str
    """The path or URI of the tables' folder."""
    tables: Mapping[str, TableFindings]
    """By the table's name."""
    counts: CountComparison
    streamed: SightingComparison | None
    """None if NEST_SIGHTINGS is off."""
    unreadable_counts: CountedCases
    """Records of nest-camera-stats that are no counts."""
    removed_counts: CountedCases
    """Records of nest-camera-stats that remove a count (tombstones)."""
    outcomes: Mapping[Outcome, int]
    """Distinct sightings in nest-logs."""
    unplaced: int
    """Sightings that count and whose device has no known zip code."""
    dirt: list[InjectedDirt]
    status: StatusFindings
    forgotten_ids: int = 0
    """Homes and cameras that were forgotten, and of which the lake must have nothing."""
    has_unfinished_forget: bool = False
    """Whether `nest forget` was cut off, or runs: the lake may still have something of them."""
    forgotten_sightings: int = 0
    """Sightings of forgotten cameras that nest-sightings has, and nothing else any more."""

    @property
    def values(self) -> int:
        """Return how many values were compared: those of rows, and counts and sightings."""
        rows = sum(each.comparison.values for each in self.tables.values())
        streamed = self.streamed.found if self.streamed else 0
        return rows + self.status.comparison.values + self.counts.found + streamed

    @property
    def has_a_table(self) -> bool:
        """Tell whether there is any table where the lake should be."""
        columns = [each.columns for each in self.tables.values()]
        return any(each is not None for each in (*columns, self.status.columns))

    @property
    def expired_records(self) -> int:
        """Return how many records retention has removed from nest-logs."""
        return sum(start for start, _ in self.bounds.values())

    @property
    def must_have_status(self) -> bool:
        """Tell whether camera_status must be there: not in a lake of a version without it."""
        is_due = self.must_be_complete and self.status.comparison.possible > 0
        return self.status.has_committed or is_due
