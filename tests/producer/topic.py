"""A small world, and what nest-logs holds of it."""

from collections.abc import Iterable

from kafka.consumer.fetcher import ConsumerRecord

from contract.kafka.bounded_read import records_in_topic
from contract.kafka.connections import open_consumer
from contract.settings import Settings
from contract.topics import NEST_LOGS
from producer.record import Headers, OutgoingRecord
from producer.sender import Sender
from producer.timeline_header import timeline_headers
from producer.world.documents import Message
from producer.world.homes import build_home
from producer.world.timeline import Timeline

SEED, HOMES = 7, 60
WORLD = [build_home(SEED, number) for number in range(HOMES)]


def settings_for(bootstrap_servers: str, **others: object) -> Settings:
    """The settings of the small world."""
    return Settings(bootstrap_servers=bootstrap_servers, seed=SEED, homes=HOMES, **others)


def records_in(bootstrap_servers: str) -> list[ConsumerRecord]:
    """Every record of nest-logs."""
    with open_consumer(bootstrap_servers) as consumer:
        return list(records_in_topic(consumer, NEST_LOGS.name))


def as_message(record: ConsumerRecord) -> Message:
    return Message(record.timestamp, record.key, record.value)


def send(sender: Sender, messages: Iterable[Message], timeline: Timeline) -> None:
    """Send messages with the headers of a timeline."""
    send_with(sender, messages, timeline_headers(timeline))


def send_with(sender: Sender, messages: Iterable[Message], headers: Headers) -> None:
    """Send messages with any headers and wait until they are in the topic."""
    for message in messages:
        sender.send(OutgoingRecord(message.timestamp, *message, headers))
    sender.flush()
