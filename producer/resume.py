"""Where a producer that starts goes on: read from the ends of nest-logs."""

from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass, field, replace

from kafka import KafkaConsumer, TopicPartition
from kafka.consumer.fetcher import ConsumerRecord

from contract.kafka.bounded_read import read_range
from contract.kafka.cluster import Kafka
from contract.kafka.connections import open_consumer, partitions_of
from contract.kafka.log_offsets import newest_timestamp
from contract.kafka.refusals import Refused
from contract.message import DIRT_HEADER
from contract.topics import NEST_LOGS
from producer.timeline_header import read_timeline
from producer.world.model import Home
from producer.world.timeline import Timeline

TAIL = 500
"""Records that are read from a partition's end at first; more if none of them is wanted."""


@dataclass(frozen=True)
class ResumePoint:
    """The timeline with which a producer goes on, and the moment at which.

    ``sent`` holds the timestamp by partition before which all of the timeline has been sent. What
    was held back as late when a producer was killed is lost all the same.
    ``new_because`` says why the timeline is a new one; it is None for one that is resumed.
    """

    timeline: Timeline
    moment: int
    sent: dict[int, int] = field(default_factory=dict)
    new_because: str | None = None


def find_resume_point(
    kafka: Kafka,
    homes: Sequence[Home],
    partition_of: Callable[[bytes], int],
    new: Timeline,
    load_factor_at: Callable[[int], float],
) -> ResumePoint:
    """Return where to resume the timeline of the homes' newest message, or a new one.

    Only messages from the start of ``new`` on are looked at: a timeline that ended before is over.
    If the newest message belongs to no timeline that can be resumed, the new one begins after it.
    ``load_factor_at`` returns the load factor of a world that went live at a moment: with another
    one it is another timeline.

    A timeline is resumed partition by partition, because a producer that was killed may have left
    some partitions behind the others.
    """
    keys = {home.structure_id.encode() for home in homes}
    try:
        with open_consumer(kafka) as consumer:
            return _resume_point(consumer, keys, partition_of, new, load_factor_at)
    except Refused as refused:
        if refused.operation != "Read":
            raise
    return _after_newest(kafka, new)


def _after_newest(kafka: Kafka, new: Timeline) -> ResumePoint:
    """Return the new timeline, from after the newest message on.

    A producer that may not read nest-logs still sees the timestamps of its newest messages. What a
    kill has kept from one partition is not sent later, then.
    """
    newest = newest_timestamp(kafka)
    start = new.start if newest is None else max(newest + 1, new.start)
    return ResumePoint(
        replace(new, start=start),
        start,
        new_because="its Kafka user may not Read nest-logs, where an earlier one is kept",
    )


def _resume_point(
    consumer: KafkaConsumer,
    keys: Set[bytes],
    partition_of: Callable[[bytes], int],
    new: Timeline,
    load_factor_at: Callable[[int], float],
) -> ResumePoint:
    def is_message(record: ConsumerRecord) -> bool:
        return record.key in keys and not any(name == DIRT_HEADER for name, _ in record.headers)

    newest = _newest_records(consumer, is_message, new.start)
    if not newest:
        nothing = "nest-logs has no message of its homes from then on"
        return ResumePoint(new, new.start, new_because=nothing)
    last = max(newest.values(), key=lambda record: record.timestamp)
    timeline = read_timeline(last.headers, new.seed)
    reason = _why_not_resumable(last, timeline, load_factor_at)
    if timeline is None or reason:
        start = max(last.timestamp + 1, new.start)
        return ResumePoint(replace(new, start=start), start, new_because=reason)

    def is_of_timeline(record: ConsumerRecord) -> bool:
        return is_message(record) and read_timeline(record.headers, new.seed) == timeline

    if not all(is_of_timeline(record) for record in newest.values()):
        newest = _newest_records(consumer, is_of_timeline, new.start)
    sent = {partition: record.timestamp for partition, record in newest.items()}
    moment = min(sent.get(partition_of(key), timeline.start) for key in keys)
    return ResumePoint(timeline, max(moment, new.start), sent)


def _why_not_resumable(
    last: ConsumerRecord, timeline: Timeline | None, load_factor_at: Callable[[int], float]
) -> str | None:
    if timeline is None:
        return (
            f"the newest message of its homes, in partition {last.partition} at offset "
            f"{last.offset}, has no timeline header that can be read"
        )
    if timeline.live_from is None:
        return "the newest messages of its homes are a bounded run's"
    load_factor = load_factor_at(timeline.live_from)
    if load_factor != timeline.load_factor:
        return (
            f"its newest messages have load factor {timeline.load_factor:g}, and NEST_RATE and "
            f"NEST_HOMES now give {load_factor:g}"
        )
    return None


def _newest_records(
    consumer: KafkaConsumer, is_wanted: Callable[[ConsumerRecord], bool], oldest: int
) -> dict[int, ConsumerRecord]:
    """Return each partition's wanted record with the highest timestamp, from ``oldest`` on."""
    return {
        tp.partition: record
        for tp in partitions_of(consumer, NEST_LOGS.name)
        if (record := _newest_record(consumer, tp, is_wanted, oldest))
    }


def _newest_record(
    consumer: KafkaConsumer,
    tp: TopicPartition,
    is_wanted: Callable[[ConsumerRecord], bool],
    oldest: int,
) -> ConsumerRecord | None:
    first, end = consumer.beginning_offsets([tp])[tp], consumer.end_offsets([tp])[tp]
    tail = TAIL
    while end > first:
        start = max(first, end - tail)
        newest, all_older = None, True
        for record in read_range(consumer, {tp: start}, {tp: end}):
            all_older = all_older and record.timestamp < oldest
            if record.timestamp >= oldest and is_wanted(record):
                newest = max(newest or record, record, key=lambda r: r.timestamp)
        if newest or all_older:
            return newest
        end, tail = start, 4 * tail
    return None
