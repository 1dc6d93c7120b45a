"""One message of nest-logs, and the newest one that tells of a person."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import NamedTuple

import orjson
from kafka import KafkaConsumer, TopicPartition
from kafka.consumer.fetcher import ConsumerRecord

from contract.errors import UserError
from contract.instants import from_epoch_ms
from contract.kafka.bounded_read import read_range
from contract.kafka.cluster import Kafka
from contract.kafka.connections import open_consumer, partitions_of
from contract.person_events import person_events
from contract.readable_json import readable_json
from contract.redaction import redact_text
from contract.topics import NEST_LOGS

MAX_TEXT_LENGTH = 20_000
"""Characters of a message's value that are shown."""
_SCANNED = 200
"""How many of the newest messages of each partition are looked through for one with a person."""
_FRESH = timedelta(seconds=30)
"""A person event that began at most so long before its message is a new one."""


class NoSuchMessage(UserError):
    """Kafka has no message at a position: not yet, or no longer."""


class Position(NamedTuple):
    """Where a record is in nest-logs."""

    partition: int
    offset: int


class Message(NamedTuple):
    """A record of nest-logs, without credentials."""

    position: Position
    timestamp: datetime
    """The record's own, UTC."""
    value: str | None
    """Its JSON, or its text where that cannot be read as JSON; None for a record without a value.

    JSON is indented, unless that would make it many times as long.
    """
    is_json: bool
    size: int
    """Bytes of the value."""
    seen_persons: frozenset[tuple[str, datetime]] = frozenset()
    """Device and start (UTC) of each person event that the value tells of."""


def read_message(kafka: Kafka, position: Position) -> Message:
    """Return the message at a position.

    Raises NoSuchMessage when Kafka has none there, and UserError when it does not answer.
    """
    with open_consumer(kafka) as consumer:
        partition = TopicPartition(NEST_LOGS.name, position.partition)
        partitions = partitions_of(consumer, NEST_LOGS.name)
        if partition not in partitions:
            raise NoSuchMessage(
                f"nest-logs has no partition {position.partition}: its partitions are "
                f"{partitions[0].partition} to {partitions[-1].partition}."
            )
        start, stop = {partition: position.offset}, {partition: position.offset + 1}
        if position.offset < (end := consumer.end_offsets([partition])[partition]):
            for record in read_range(consumer, start, stop):
                return _message(record)
    raise NoSuchMessage(_why_missing(position, end))


def _why_missing(position: Position, end: int) -> str:
    where = f"offset {position.offset:,} of partition {position.partition}"
    if position.offset >= end:
        return f"The message at {where} is still to come: the next one there has offset {end:,}."
    return f"Kafka has removed the message at {where}. Its rows in the archive are left."


def newest_message(kafka: Kafka) -> Position | None:
    """Return where the newest message is that tells of a person whom a camera has just seen.

    Without one among the newest messages, it is the newest message of all; None if there is none.
    Raises UserError when Kafka does not answer.
    """
    with open_consumer(kafka) as consumer:
        records = sorted(_newest_records(consumer), key=lambda each: each.timestamp, reverse=True)
    with_person = (each for each in records if _tells_of_new_person(each))
    newest = next(with_person, records[0] if records else None)
    return Position(newest.partition, newest.offset) if newest else None


def _newest_records(consumer: KafkaConsumer) -> Iterator[ConsumerRecord]:
    partitions = partitions_of(consumer, NEST_LOGS.name)
    ends = consumer.end_offsets(partitions)
    first = consumer.beginning_offsets(partitions)
    start = {each: max(first[each], ends[each] - _SCANNED) for each in partitions}
    return read_range(consumer, start, ends)


def _tells_of_new_person(record: ConsumerRecord) -> bool:
    """Tell whether a camera saw a person shortly before the record."""
    sent_at = from_epoch_ms(record.timestamp)
    starts = (start for _, start in _seen_persons(record.value))
    return any(timedelta() <= sent_at - start <= _FRESH for start in starts)


def _seen_persons(value: bytes | None) -> frozenset[tuple[str, datetime]]:
    """Return device and start of each person event; without those of anything odd."""
    try:
        return frozenset(person_events(orjson.loads(value or b"")))
    except ValueError:
        return frozenset()


def _message(record: ConsumerRecord) -> Message:
    value: bytes | None = record.value
    position = Position(record.partition, record.offset)
    timestamp = from_epoch_ms(record.timestamp)
    if value is None:
        return Message(position, timestamp, None, False, 0)
    json = readable_json(value, indent=True)
    text = value.decode(errors="replace") if json is None else json
    shown = redact_text(text)[:MAX_TEXT_LENGTH]
    return Message(position, timestamp, shown, json is not None, len(value), _seen_persons(value))
