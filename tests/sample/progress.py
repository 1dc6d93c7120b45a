"""Messages and the queries' progress, put into Kafka as producer and pipeline do."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta

from contract.instants import format_instant
from contract.progress import QueryProgress
from contract.topics import NEST_LOGS, PIPELINE_PROGRESS
from tests.fixtures.kafka import Stamped, append, append_stamped


def send_messages(bootstrap_servers: str, *ages: float, partition: int = 0) -> None:
    """Send a message for each age: its timestamp is that many seconds ago."""
    now = datetime.now(UTC).timestamp()
    messages = (Stamped(b"home", b"{}", int((now - age) * 1000), partition) for age in ages)
    append_stamped(bootstrap_servers, NEST_LOGS.name, *messages)


def progress(query: str, ends: int | Mapping[int, int], **fields: object) -> QueryProgress:
    """Progress up to offsets by partition, or one of partition 0, after a batch of one second."""
    by_partition = {0: ends} if isinstance(ends, int) else dict(ends)
    triggered_at = datetime.now(UTC) - timedelta(seconds=1)
    values = {
        "state": "running",
        "timestamp": format_instant(triggered_at),
        "batch_id": sum(by_partition.values()),
        "batch_duration_ms": 1000,
        "end_offsets": by_partition,
        **fields,
    }
    return QueryProgress(query, **values)


def send_progress(
    bootstrap_servers: str, *records: QueryProgress | tuple[bytes, bytes | None]
) -> None:
    """Append progress, or other records, to nest-pipeline-progress."""
    pairs = (each if isinstance(each, tuple) else each.encode() for each in records)
    append(bootstrap_servers, PIPELINE_PROGRESS.name, *pairs)
