"""Why records are in quarantine, samples of them, and how many there are."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import reduce
from operator import or_
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.dataset as ds

from contract.delta_tables import table_size
from contract.lake import QUARANTINE, table_location
from contract.redaction import redact_text
from dashboard.data.lake.delta_table import explain_read_errors, open_table, query
from dashboard.data.lake.table_follower import TableFollower

MAX_SAMPLES = 3
"""How many of the newest records of each reason are shown."""
_MAX_TEXT_LENGTH = 4000
"""Characters of a sample's detail and raw text."""

_NO_TIME = datetime.min.replace(tzinfo=UTC)

_REASONS = "SELECT reason, count(*) AS records FROM data GROUP BY reason"
_NEWEST = """
    SELECT reason, "partition", "offset" FROM data
    QUALIFY row_number() OVER (
        PARTITION BY reason ORDER BY timestamp DESC NULLS LAST
    ) <= {max_samples}
"""
_SAMPLES = """
    SELECT reason, timestamp, "partition", "offset", left(detail, {max_length}) AS detail,
        left(raw, {max_length}) AS raw, length(raw) AS length
    FROM data
"""
_ROWS_AT_A_TIME = 64
"""Raw text may be a megabyte a row."""


class QuarantineSample(NamedTuple):
    """A record in quarantine, its texts without credentials."""

    reason: str
    timestamp: datetime | None
    """UTC; None where the record's own timestamp is out of range."""
    partition: int
    offset: int
    detail: str
    raw: str | None
    """The start of the record's value; None for a record without a value."""
    length: int
    """Characters of the whole value."""


@dataclass(frozen=True)
class QuarantineView:
    """The quarantine as of one version."""

    reasons: dict[str, int] = field(default_factory=dict)
    """Records by reason, the most frequent first."""
    samples: dict[str, list[QuarantineSample]] = field(default_factory=dict)
    """The newest records by reason in the same order, newest first."""
    table_id: str = ""
    """Another one after the table was recreated."""
    version: int = -1


def read_quarantine(root: str) -> Iterator[QuarantineView]:
    """Yield the current quarantine each time; an empty one where there is no such table."""
    follower = TableFollower()
    reasons: Counter[str] = Counter()
    samples: dict[str, list[QuarantineSample]] = {}
    view = QuarantineView()
    while True:
        # From its path each time, so a table that was removed or recreated is noticed.
        table = open_table(root, QUARANTINE)
        if table is None:
            view = QuarantineView()
        elif (table.metadata().id, table.version()) != (view.table_id, view.version):
            with explain_read_errors(table_location(root, QUARANTINE)):
                new_files = follower.new_files(table)
                if new_files.is_reset:
                    reasons.clear()
                    samples.clear()
                for row in query(new_files.rows, _REASONS).to_pylist():
                    reasons[str(row["reason"])] += row["records"]
                new = list(_newest_samples(new_files.rows))
            samples = {
                reason: _newest([s for s in new if s.reason == reason] + samples.get(reason, []))
                for reason, _ in reasons.most_common()
            }
            view = QuarantineView(
                dict(reasons.most_common()), samples, table.metadata().id, table.version()
            )
        yield view


def read_quarantine_size(root: str) -> Iterator[int | None]:
    """Yield the number of rows each time, from the log alone.

    None if there is no table, or its log does not tell. UserError if the table cannot be read.
    """
    while True:
        table = open_table(root, QUARANTINE)
        with explain_read_errors(table_location(root, QUARANTINE)):
            rows = table_size(table).rows if table else None
        yield rows


def _newest_samples(rows: ds.FileSystemDataset) -> Iterator[QuarantineSample]:
    """Yield the newest rows of each reason; the text of other rows is hardly read.

    The positions are found without any text. Then Arrow passes over files and parts of files whose
    statistics say that they have none of these.
    """
    newest = query(rows, _NEWEST.format(max_samples=MAX_SAMPLES)).to_pylist()
    if not newest:
        return
    is_sample = reduce(
        or_,
        (
            (pc.field("partition") == row["partition"]) & (pc.field("offset") == row["offset"])
            for row in newest
        ),
    )
    wanted = {(row["reason"], row["partition"], row["offset"]) for row in newest}
    batches = rows.to_batches(
        filter=is_sample, batch_size=_ROWS_AT_A_TIME, batch_readahead=1, fragment_readahead=1
    )
    for batch in batches:
        if batch.num_rows:
            sql = _SAMPLES.format(max_length=_MAX_TEXT_LENGTH)
            for row in query(pa.table(batch), sql).to_pylist():
                if (row["reason"], row["partition"], row["offset"]) in wanted:
                    yield _sample(row)


def _newest(samples: list[QuarantineSample]) -> list[QuarantineSample]:
    return sorted(samples, key=lambda each: each.timestamp or _NO_TIME, reverse=True)[:MAX_SAMPLES]


def _sample(row: Mapping[str, Any]) -> QuarantineSample:
    raw = row["raw"]
    return QuarantineSample(
        str(row["reason"]),
        row["timestamp"],
        row["partition"],
        row["offset"],
        redact_text(row["detail"] or ""),
        None if raw is None else redact_text(raw),
        row["length"] or 0,
    )
