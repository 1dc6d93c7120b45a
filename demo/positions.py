"""How far nest-logs has come, and how far a query in it."""

from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime

from kafka import KafkaConsumer, TopicPartition
from kafka.admin import OffsetSpec

from contract.progress import QueryProgress, decode_progress
from contract.reading import partitions_of, read_range
from contract.topics import NEST_LOGS, PIPELINE_PROGRESS
from demo.topics import open_admin

STATS = "stats"
"""The query whose batches are the counts."""
_BACK = 1000
"""How many progress records to read back: the newest of each running query is among them."""


def end_offsets(bootstrap_servers: str) -> dict[int, int]:
    """Return the end of nest-logs by partition."""
    found = _offsets(bootstrap_servers, OffsetSpec.LATEST)
    return {number: offset for number, (offset, _) in found.items()}


def newest_timestamp(bootstrap_servers: str) -> datetime | None:
    """Return the newest timestamp in nest-logs, UTC; None while it is empty."""
    found = _offsets(bootstrap_servers, OffsetSpec.MAX_TIMESTAMP)
    newest = max(timestamp for _, timestamp in found.values())
    return datetime.fromtimestamp(newest / 1000, UTC) if newest >= 0 else None


def _offsets(bootstrap_servers: str, spec: OffsetSpec) -> dict[int, tuple[int, int]]:
    """Return (offset, timestamp in ms) by partition of nest-logs."""
    with open_admin(bootstrap_servers) as admin:
        wanted = {TopicPartition(NEST_LOGS.name, n): spec for n in range(NEST_LOGS.partitions)}
        found = admin.list_partition_offsets(wanted)
        return {tp.partition: (each.offset, each.timestamp) for tp, each in found.items()}


def covers(done: dict[int, int], ends: dict[int, int]) -> bool:
    """Tell whether a query that has done so much has come to these ends."""
    return all(done.get(number, 0) >= end for number, end in ends.items())


@dataclass
class LatestProgress:
    """The newest progress of each query, read on from where the last look ended."""

    by_query: dict[str, QueryProgress] = field(default_factory=dict)
    _next: int | None = None

    def refresh(self, consumer: KafkaConsumer) -> None:
        """Take in what is new in nest-pipeline-progress."""
        (tp,) = partitions_of(consumer, PIPELINE_PROGRESS.name)
        end = consumer.end_offsets([tp])
        start = max(0, end[tp] - _BACK) if self._next is None else self._next
        for record in read_range(consumer, {tp: start}, end):
            with suppress(ValueError, TypeError, KeyError):  # somebody else's record
                progress = decode_progress(record.value or b"")
                self.by_query[progress.query] = progress
        self._next = end[tp]
