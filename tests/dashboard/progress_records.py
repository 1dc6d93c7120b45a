"""Messages and the queries' progress, put into Kafka as producer and pipeline do."""

from datetime import UTC, datetime, timedelta

from kafka import KafkaProducer

from contract.instants import format_instant
from contract.progress import QueryProgress
from contract.topics import NEST_LOGS, PIPELINE_PROGRESS


def send_messages(bootstrap_servers: str, *ages: float, partition: int = 0) -> None:
    """Send a message for each age: its timestamp is that many seconds ago."""
    now = datetime.now(UTC).timestamp()
    producer = KafkaProducer(bootstrap_servers=bootstrap_servers)
    for age in ages:
        producer.send(
            NEST_LOGS.name,
            key=b"home",
            value=b"{}",
            partition=partition,
            timestamp_ms=int((now - age) * 1000),
        )
    producer.close()


def progress(query: str, committed: int, **fields: object) -> QueryProgress:
    """Progress of a query up to an offset of partition 0, after a batch of one second."""
    triggered_at = datetime.now(UTC) - timedelta(seconds=1)
    values = {
        "state": "running",
        "timestamp": format_instant(triggered_at),
        "batch_id": committed,
        "batch_duration_ms": 1000,
        "end_offsets": {0: committed},
        **fields,
    }
    return QueryProgress(query, **values)


def send_progress(bootstrap_servers: str, *records: QueryProgress | tuple[bytes, bytes]) -> None:
    """Append progress, or other records, to nest-pipeline-progress."""
    producer = KafkaProducer(bootstrap_servers=bootstrap_servers)
    for each in records:
        key, value = each if isinstance(each, tuple) else each.encode()
        producer.send(PIPELINE_PROGRESS.name, key=key, value=value)
    producer.close()
