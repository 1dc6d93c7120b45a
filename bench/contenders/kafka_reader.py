"""Read nest-logs with confluent-kafka, from its start to its current end."""

from collections.abc import Iterator

from confluent_kafka import Consumer, Message, TopicPartition

from contract.settings import Settings
from contract.topics import NEST_LOGS

_TIMEOUT_S = 10.0


def partitions_of_nest_logs(consumer: Consumer) -> list[TopicPartition]:
    """Return the partitions that the topic has."""
    found = consumer.list_topics(NEST_LOGS.name, timeout=_TIMEOUT_S).topics[NEST_LOGS.name]
    return [TopicPartition(NEST_LOGS.name, number) for number in sorted(found.partitions)]


def read_batches(settings: Settings, size: int) -> Iterator[list[Message]]:
    """Yield lists of at most ``size`` messages; librdkafka fetches ahead in its own threads."""
    consumer = Consumer(
        {
            "bootstrap.servers": settings.bootstrap_servers,
            "group.id": "bench",  # required, although no offset is ever committed
            "enable.auto.commit": False,
            "check.crcs": False,
            "fetch.wait.max.ms": 50,
            "queued.max.messages.kbytes": 128 << 10,
            "fetch.max.bytes": 64 << 20,
            "max.partition.fetch.bytes": 16 << 20,
        }
    )
    try:
        remaining = 0
        starts = []
        for partition in partitions_of_nest_logs(consumer):
            partition.offset, end = consumer.get_watermark_offsets(partition, timeout=_TIMEOUT_S)
            remaining += end - partition.offset
            starts.append(partition)
        consumer.assign(starts)
        while remaining > 0:
            messages = consumer.consume(min(size, remaining), timeout=_TIMEOUT_S)
            if not messages:
                raise TimeoutError(
                    f"Kafka sent nothing for {_TIMEOUT_S:g} s; {remaining:,} messages are missing."
                )
            for message in messages:
                if message.error():
                    raise RuntimeError(str(message.error()))
            remaining -= len(messages)
            yield messages
    finally:
        consumer.close()
