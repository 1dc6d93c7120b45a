"""Bounded reads of a topic: from given offsets to what was its end when the read began."""

from collections.abc import Iterator
from contextlib import contextmanager

from kafka import KafkaConsumer, TopicPartition
from kafka.consumer.fetcher import ConsumerRecord
from kafka.errors import KafkaError

from contract.errors import UserError

TIMEOUT_MS = 10_000
"""How long a broker may take to answer."""


@contextmanager
def open_consumer(bootstrap_servers: str) -> Iterator[KafkaConsumer]:
    """Open a consumer of raw bytes that belongs to no group and commits nothing.

    Raises UserError when no broker answers, at first or later inside the ``with``.
    """
    try:
        consumer = KafkaConsumer(
            bootstrap_servers=bootstrap_servers.split(","),
            bootstrap_timeout_ms=TIMEOUT_MS,
            request_timeout_ms=TIMEOUT_MS,
            allow_auto_create_topics=False,  # a reader must not make a topic that was deleted anew
            enable_auto_commit=False,
            auto_offset_reset="earliest",
            fetch_max_wait_ms=100,  # a bounded read gains nothing by waiting at the topic's end
            fetch_max_bytes=16 << 20,
            max_partition_fetch_bytes=4 << 20,
            max_poll_records=10_000,
        )
    except (KafkaError, ValueError) as error:  # ValueError: no host:port
        raise _away(bootstrap_servers, error) from None
    try:
        yield consumer
    except KafkaError as error:
        raise _away(bootstrap_servers, error) from None
    finally:
        consumer.close()


def _away(bootstrap_servers: str, error: Exception) -> UserError:
    return UserError(
        f"No Kafka broker answers at {bootstrap_servers} ({error}). "
        "Start one with `nest broker`, or set NEST_BOOTSTRAP_SERVERS."
    )


def partitions_of(consumer: KafkaConsumer, topic: str) -> list[TopicPartition]:
    """Return a topic's partitions in order; UserError if there is no such topic."""
    numbers = consumer.partitions_for_topic(topic)
    if not numbers:
        raise UserError(f"There is no topic {topic}. `nest topics` creates the demo's topics.")
    return [TopicPartition(topic, number) for number in sorted(numbers)]


def read_range(
    consumer: KafkaConsumer,
    start: dict[TopicPartition, int],
    end: dict[TopicPartition, int],
) -> Iterator[ConsumerRecord]:
    """Yield the records of each partition from ``start`` up to, not including, ``end``.

    Within a partition in order of offset. A compacted or transactional topic may lack offsets;
    the read ends when the consumer's position has reached the end. Raises UserError when the
    broker falls silent.
    """
    left = {tp for tp in end if start.get(tp, 0) < end[tp]}
    consumer.assign(list(left))
    consumer.resume(*left)  # an earlier read of the same consumer left them paused
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
            raise UserError(f"Kafka sent nothing for {TIMEOUT_MS // 1000} s while being read.")
        left -= done
        consumer.pause(*done)
