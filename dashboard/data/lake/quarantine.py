"""Why records are in quarantine, and what some of them look like."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, NamedTuple

from contract.lake import QUARANTINE, table_uri
from contract.redaction import redact_text
from dashboard.data.lake.delta_table import query, readable
from dashboard.data.lake.table_follower import Followed

SAMPLES = 3
"""How many of the newest records of each reason are shown."""
_LONGEST = 4000

_REASONS = "SELECT reason, count(*) AS records FROM data GROUP BY reason"
# The positions first: raw text is read for the samples alone.
_SAMPLES = """
    SELECT reason, timestamp, "partition", "offset", left(detail, {longest}) AS detail,
        left(raw, {longest}) AS raw, length(raw) AS length
    FROM data WHERE (reason, "partition", "offset") IN (
        SELECT (reason, "partition", "offset") FROM (
            SELECT reason, "partition", "offset" FROM data
            QUALIFY row_number() OVER (PARTITION BY reason ORDER BY timestamp DESC) <= {samples}
        )
    )
    ORDER BY timestamp DESC
"""


class Sample(NamedTuple):
    """A record in quarantine; texts hide their credentials."""

    reason: str
    timestamp: datetime
    partition: int
    offset: int
    detail: str
    raw: str | None
    """Its beginning; None for a record without a value."""
    length: int
    """Characters in all."""


@dataclass(frozen=True)
class QuarantineView:
    """The quarantine as of one version."""

    reasons: dict[str, int] = field(default_factory=dict)
    """Records by reason, the most frequent first."""
    samples: dict[str, list[Sample]] = field(default_factory=dict)
    """The newest records by reason."""
    table: str = ""
    """The table's own id, another one when it was made anew."""
    version: int = -1


def read_quarantine(root: str) -> Iterator[QuarantineView]:
    """Yield the quarantine as of now each time; empty where there is no such table."""
    followed = Followed(root, QUARANTINE)
    reasons: Counter[str] = Counter()
    samples: dict[str, list[Sample]] = {}
    view = QuarantineView()
    while True:
        table = followed.look()
        if table is None:
            view = QuarantineView()
        elif (table.metadata().id, table.version()) != (view.table, view.version):
            with readable(table_uri(root, QUARANTINE)):
                news = followed.news(table)
                if news.anew:
                    reasons.clear()
                    samples.clear()
                for row in query(news.data, _REASONS).to_pylist():
                    reasons[str(row["reason"])] += row["records"]
                found = query(news.data, _SAMPLES.format(longest=_LONGEST, samples=SAMPLES))
                new = [_sample(row) for row in found.to_pylist()]
            samples = {
                reason: _newest([s for s in new if s.reason == reason] + samples.get(reason, []))
                for reason in reasons
            }
            view = QuarantineView(
                dict(reasons.most_common()), samples, table.metadata().id, table.version()
            )
        yield view


def _newest(samples: list[Sample]) -> list[Sample]:
    return sorted(samples, key=lambda sample: sample.timestamp, reverse=True)[:SAMPLES]


def _sample(row: Mapping[str, Any]) -> Sample:
    raw = row["raw"]
    return Sample(
        str(row["reason"]),
        row["timestamp"],
        row["partition"],
        row["offset"],
        redact_text(row["detail"] or ""),
        None if raw is None else redact_text(raw),
        row["length"] or 0,
    )
