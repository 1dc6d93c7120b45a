"""Where a producer goes on that was stopped: read from the ends of nest-logs."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from kafka import KafkaConsumer, TopicPartition
from kafka.consumer.fetcher import ConsumerRecord
from orjson import JSONDecodeError, loads

from contract.bounded_read import read_range
from contract.connections import open_consumer, partitions_of
from contract.topics import NEST_LOGS
from producer.world.model import Home
from producer.world.timeline import Timeline, timeline_of

TAIL = 500
"""How many records are read from the end of a partition at first; more if none of them tells."""


@dataclass(frozen=True)
class Beginning:
    """which story to tell, from which moment.

    ``sent`` are the timestamps, by partition, before which all of the story is in the topic.
    """

    story: Timeline
    moment: int
    sent: dict[int, int] = field(default_factory=dict)


def beginning(
    bootstrap_servers: str,
    homes: Sequence[Home],
    partition_of: Callable[[bytes], int],
    fresh: Timeline,
    busier: Callable[[int], float],
) -> Beginning:
    """Find out where to go on: with the story that the newest record tells, or with a fresh one.

    A story goes on from its newest record, partition by partition, because a producer that was
    killed may have left some partitions behind. What is told again is a re-send. A story that
    ended before the fresh one begins is over. If the newest record tells another story of this
    world (``NEST_RATE`` was changed), the fresh one begins where that ended.
    """
    by_key = {home.structure_id.encode(): home for home in homes}
    with open_consumer(bootstrap_servers) as consumer:
        newest = {
            tp.partition: record
            for tp in partitions_of(consumer, NEST_LOGS.name)
            if (record := _newest_record(consumer, tp, by_key, fresh.start))
        }
    if not newest:
        return Beginning(fresh, fresh.start)
    last = max(newest.values(), key=lambda record: record.timestamp)
    story = timeline_of(_token(last) or "", fresh.seed, by_key[last.key], busier)
    if story is None:
        start = max(last.timestamp + 1, fresh.start)
        fresh = Timeline(fresh.seed, start, fresh.live_from, fresh.load_factor)
        return Beginning(fresh, start)
    sent = {number: record.timestamp for number, record in newest.items()}
    inhabited = {partition_of(key) for key in by_key}
    moment = min(sent.get(number, story.start) for number in inhabited)
    return Beginning(story, max(moment, fresh.start), sent)


def _newest_record(
    consumer: KafkaConsumer, tp: TopicPartition, by_key: dict[bytes, Home], oldest: int
) -> ConsumerRecord | None:
    """Return the record of this world with the highest timestamp, if not older than ``oldest``."""
    first, end = consumer.beginning_offsets([tp])[tp], consumer.end_offsets([tp])[tp]
    tail = TAIL
    while end > first:
        start = max(first, end - tail)
        newest, all_older = None, True
        for record in read_range(consumer, {tp: start}, {tp: end}):
            all_older = all_older and record.timestamp < oldest
            if record.timestamp >= oldest and _is_told(record, by_key):
                newest = max(newest or record, record, key=lambda r: r.timestamp)
        if newest or all_older:
            return newest
        end, tail = start, 4 * tail
    return None


def _is_told(record: ConsumerRecord, by_key: dict[bytes, Home]) -> bool:
    dirty = any(name == "dirt" for name, _ in record.headers)
    return record.key in by_key and not dirty and _token(record) is not None


def _token(record: ConsumerRecord) -> str | None:
    try:
        token = loads(record.value or b"")["metadata"]["access_token"]
    except (JSONDecodeError, KeyError, TypeError):
        return None
    return token if isinstance(token, str) else None
