"""Messages and the queries' progress, put into Kafka as producer and pipeline do."""

from datetime import UTC, datetime, timedelta

from kafka import KafkaProducer

from contract.progress import QueryProgress
from contract.topics import NEST_LOGS, PIPELINE_PROGRESS


def send_messages(bootstrap_servers: str, *ages: float, partition: int = 0) -> None:
    """Send a message for each age in seconds: so long ago it was reported."""
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


def progress(query: str, done: int, **fields: object) -> QueryProgress:
    """A query's word that it has taken in so much of partition 0, in a batch of a second."""
    began = datetime.now(UTC) - timedelta(seconds=1)
    told = {
        "state": "running",
        "timestamp": began.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
        "batch_id": done,
        "batch_duration_ms": 1000,
        "end_offsets": {0: done},
        **fields,
    }
    return QueryProgress(query, **told)  # type: ignore[arg-type]


def tell(bootstrap_servers: str, *words: QueryProgress | tuple[bytes, bytes]) -> None:
    """Append words, or other records, to the progress topic."""
    producer = KafkaProducer(bootstrap_servers=bootstrap_servers)
    for word in words:
        key, value = word if isinstance(word, tuple) else word.encode()
        producer.send(PIPELINE_PROGRESS.name, key=key, value=value)
    producer.close()
