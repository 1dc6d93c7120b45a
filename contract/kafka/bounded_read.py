"""Bounded reads of a topic: from given offsets to what was its end when the read began."""

from collections.abc import Iterator

from kafka import KafkaConsumer, TopicPartition
from kafka.consumer.fetcher import ConsumerRecord

from contract.errors import NoBroker
from contract.kafka.connections import TIMEOUT_MS, partitions_of


def records_in_topic(consumer: KafkaConsumer, topic: str) -> Iterator[ConsumerRecord]:
    """Yield the records of a whole topic, from its beginning to what is its end now.

    Raises UserError if there is no such topic.
    """
    partitions = partitions_of(consumer, topic)
    start, end = consumer.beginning_offsets(partitions), consumer.end_offsets(partitions)
    return read_range(consumer, start, end)


def read_range(
    consumer: KafkaConsumer,
    start: dict[TopicPartition, int],
    end: dict[TopicPartition, int],
) -> Iterator[ConsumerRecord]:
    """Yield the records of each partition from ``start`` up to, not including, ``end``.

    Within a partition in order of offset. A compacted or transactional topic may lack offsets;
    the read ends when the consumer's position has reached the end. Raises NoBroker when the broker
    stops sending.
    """
    left = {tp for tp in end if start.get(tp, 0) < end[tp]}
    consumer.assign(list(left))
    for tp in left:
        consumer.seek(tp, start.get(tp, 0))
    while left:
        batches = consumer.poll(timeout_ms=TIMEOUT_MS)
        for tp, records in batches.items():
            for record in records:
                if record.offset < end[tp]:
                    yield record
        done = {tp for tp in left if consumer.position(tp) >= end[tp]}
        if not batches and not done:
            raise NoBroker(
                f"Kafka sent nothing for {TIMEOUT_MS // 1000} s while "
                f"{', '.join(sorted({tp.topic for tp in left}))} was read. It may be overloaded or "
                "gone: run the command again."
            )
        left -= done
        if done and left:
            # Not paused: kafka-python 3.0 may never read again what it has put aside of a partition
            # that was paused and is resumed. The positions of the others stay.
            consumer.assign(list(left))
