"""The producer against a real Kafka: what arrives, going on after a stop, errors."""

import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime, timedelta
from itertools import islice, takewhile
from pathlib import Path
from threading import Event

import pytest
from kafka import KafkaAdminClient
from kafka.admin import ConfigResource, ConfigResourceType
from kafka.consumer.fetcher import ConsumerRecord
from kafka.partitioner import murmur2

from contract.bounded_read import read_range
from contract.connections import open_consumer, partitions_of
from contract.errors import UserError
from contract.polling import poll_until
from contract.settings import Settings
from contract.topics import NEST_LOGS
from demo.stack.ports import free_port
from producer import produce as module
from producer.dirt import Outgoing
from producer.produce import produce
from producer.resume import beginning
from producer.sender import Sender
from producer.world.homes import build_home
from producer.world.instants import to_epoch_ms
from producer.world.message import Message
from producer.world.messages import generate
from producer.world.time_units import HOUR, SECOND
from producer.world.timeline import Timeline

kafka = pytest.mark.kafka
START = datetime(2026, 11, 20, 1, tzinfo=UTC)
SEED, HOMES = 7, 60
WORLD = [build_home(SEED, number) for number in range(HOMES)]
Told = tuple[int, bytes, bytes]


def settings_for(bootstrap_servers: str, **others: object) -> Settings:
    return Settings(bootstrap_servers=bootstrap_servers, seed=SEED, homes=HOMES, **others)


def records_in(bootstrap_servers: str) -> list[ConsumerRecord]:
    with open_consumer(bootstrap_servers) as consumer:
        partitions = partitions_of(consumer, NEST_LOGS.name)
        first, end = consumer.beginning_offsets(partitions), consumer.end_offsets(partitions)
        return list(read_range(consumer, first, end))


def told(record: ConsumerRecord) -> Told:
    return (record.timestamp, record.key, record.value)


def story_so_far(story: Timeline, last: int) -> list[Told]:
    return [tuple(m) for m in takewhile(lambda m: m.timestamp <= last, generate(WORLD, story))]


@contextmanager
def producer_process(bootstrap_servers: str, **environment: str) -> Iterator[subprocess.Popen[str]]:
    """A producer of its own process, live; killed if the test did not end it."""
    process = subprocess.Popen(
        [
            sys.executable,
            "-c",
            "from contract.settings import load_settings\n"
            "from producer.produce import produce\n"
            "produce(load_settings())",
        ],
        env={
            **os.environ,
            "NEST_BOOTSTRAP_SERVERS": bootstrap_servers,
            "NEST_SEED": str(SEED),
            "NEST_HOMES": str(HOMES),
            "NEST_HISTORY": "6 hours",
            **environment,
        },
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        yield process
    finally:
        if process.poll() is None:
            process.kill()
        process.communicate()


def outgoing(message: Message) -> Outgoing:
    return Outgoing(message.timestamp, *message)


@kafka
def test_a_bounded_run_sends_the_first_messages_of_the_world(fresh_topics: str) -> None:
    produce(settings_for(fresh_topics), messages=3000, start=START)
    records = records_in(fresh_topics)
    expected = list(islice(generate(WORLD, Timeline(SEED, to_epoch_ms(START))), 3000))
    assert sorted(map(told, records)) == sorted(tuple(message) for message in expected)
    assert not [record for record in records if record.headers]
    for record in records:
        assert record.partition == (murmur2(record.key) & 0x7FFFFFFF) % NEST_LOGS.partitions
    for number in range(NEST_LOGS.partitions):
        times = [record.timestamp for record in records if record.partition == number]
        assert times == sorted(times)
        assert times


@kafka
def test_by_default_a_bounded_run_ends_before_now(fresh_topics: str) -> None:
    produce(settings_for(fresh_topics), messages=500)
    records = records_in(fresh_topics)
    assert len(records) == 500
    now = time.time() * SECOND
    assert now - 24 * HOUR < max(record.timestamp for record in records) <= now


@kafka
def test_each_injected_record_has_its_kind_in_a_header(fresh_topics: str) -> None:
    kinds = ("duplicate", "late", "malformed", "unplaced", "future")
    dirt = {f"dirt_{kind}": 0.03 for kind in kinds}
    produce(settings_for(fresh_topics, **dirt), messages=3000, start=START)
    records = records_in(fresh_topics)
    headers = Counter(dict(record.headers).get("dirt", b"").decode() for record in records)
    assert set(headers) == {"", *kinds}
    assert headers[""] + headers["late"] == 3000
    for kind in kinds:
        assert headers[kind] == pytest.approx(90, rel=0.4)
    assert any(record.value is None for record in records)


@kafka
@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGTERM])
def test_a_live_producer_flushes_and_ends_well_when_asked_to(
    fresh_topics: str, stop: signal.Signals
) -> None:
    with producer_process(fresh_topics) as process:
        newest = poll_until(lambda: newest_once_live(fresh_topics), "live messages", 60)
        assert newest <= time.time() * SECOND
        process.send_signal(stop)
        _, errors = process.communicate(timeout=20)
    assert process.returncode == 0
    records = records_in(fresh_topics)
    assert f"Stopped; {len(records):,} records are in Kafka." in errors
    assert len(set(map(told, records))) == len(records)


def newest_once_live(bootstrap_servers: str) -> int | None:
    """Timestamp of the newest record, once that is hardly older than now."""
    newest = max((record.timestamp for record in records_in(bootstrap_servers)), default=0)
    return newest if newest > time.time() * SECOND - 60 * SECOND else None


@kafka
def test_what_a_killed_producer_repeats_is_a_resend_and_nothing_is_missing(
    fresh_topics: str,
) -> None:
    with producer_process(fresh_topics, NEST_SPEED="3600") as process:
        poll_until(lambda: len(records_in(fresh_topics)) > 300, "some history", 60)
        process.kill()
    before = records_in(fresh_topics)
    with producer_process(fresh_topics) as process:
        poll_until(lambda: newest_once_live(fresh_topics), "live messages", 60)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=20)
    assert f"The story of world {SEED} of {HOMES} homes goes on at" in errors
    records = records_in(fresh_topics)
    assert len(records) > len(before)
    start = min(record.timestamp for record in records) // HOUR * HOUR
    now = to_epoch_ms(datetime.now(UTC))
    story = Timeline(SEED, start, now - now % HOUR)
    expected = story_so_far(story, max(record.timestamp for record in records))
    assert set(map(told, records)) == set(expected)
    assert len(records) - len(expected) < 20


@kafka
def test_going_on_fills_each_partition_from_its_own_end(fresh_topics: str) -> None:
    """A kill may leave a partition behind the others by what was under way to it."""
    now = to_epoch_ms(datetime.now(UTC))
    story = Timeline(SEED, now - now % HOUR - 12 * HOUR, now - now % HOUR)
    messages = list(islice(generate(WORLD, story), 600))
    with closing(Sender(fresh_topics)) as sender:
        behind = sender.partition_of(messages[0].key)
        sent = [
            message
            for number, message in enumerate(messages)
            if number < 300 or sender.partition_of(message.key) != behind
        ]
        for message in sent:
            sender.send(outgoing(message))
        sender.flush()
        fresh = Timeline(SEED, story.start - HOUR, story.live_from)
        found = beginning(fresh_topics, WORLD, sender.partition_of, fresh, lambda _: 1.0)
    assert found.story == story
    mine = [m for m in messages[:300] if sender.partition_of(m.key) == behind]
    assert found.moment == found.sent[behind] == mine[-1].timestamp
    assert max(found.sent.values()) == sent[-1].timestamp


@kafka
def test_a_story_that_ended_before_the_history_begins_is_over(fresh_topics: str) -> None:
    now = to_epoch_ms(datetime.now(UTC))
    old = Timeline(SEED, now - now % HOUR - 90 * HOUR, now - now % HOUR - 66 * HOUR)
    fresh = Timeline(SEED, now - now % HOUR - 24 * HOUR, now - now % HOUR)
    with closing(Sender(fresh_topics)) as sender:
        for message in islice(generate(WORLD, old), 500):
            sender.send(outgoing(message))
        sender.flush()
        found = beginning(fresh_topics, WORLD, sender.partition_of, fresh, lambda _: 1.0)
    assert (found.story, found.moment, found.sent) == (fresh, fresh.start, {})


@kafka
def test_records_of_others_do_not_say_where_the_story_goes_on(fresh_topics: str) -> None:
    now = to_epoch_ms(datetime.now(UTC))
    story = Timeline(SEED, now - now % HOUR - 12 * HOUR, now - now % HOUR)
    messages = list(islice(generate(WORLD, story), 400))
    elsewhere = [build_home(99, number) for number in range(200)]
    others = islice(generate(elsewhere, Timeline(99, story.start)), 2500)
    with closing(Sender(fresh_topics)) as sender:
        for message in messages:
            sender.send(outgoing(message))
        for message in others:  # more than are read from the end at first
            sender.send(outgoing(message))
        by_hand = messages[0]._replace(timestamp=now, value=b'{"devices": {}}')
        sender.send(outgoing(by_hand))
        sender.send(outgoing(messages[0]._replace(timestamp=now))._replace(dirt="late"))
        sender.flush()
        found = beginning(fresh_topics, WORLD, sender.partition_of, story, lambda _: 1.0)
    assert found.story == story
    assert max(found.sent.values()) == messages[-1].timestamp


@kafka
def test_a_record_that_cannot_be_delivered_is_named(fresh_topics: str) -> None:
    admin = KafkaAdminClient(bootstrap_servers=fresh_topics)
    topic = ConfigResource(
        ConfigResourceType.TOPIC, NEST_LOGS.name, configs={"max.message.bytes": "1000"}
    )
    admin.alter_configs([topic])
    admin.close()
    with pytest.raises(
        UserError, match=r"partition \d, key \w+, timestamp 2026-11-20T01:.*TooLarge"
    ):
        produce(settings_for(fresh_topics), messages=200, start=START)


@kafka
def test_a_bounded_run_that_is_interrupted_fails(fresh_topics: str) -> None:
    stop = Event()
    stop.set()
    with (
        closing(Sender(fresh_topics)) as sender,
        pytest.raises(UserError, match="0 of 10 messages"),
    ):
        module._produce_bounded(
            settings_for(fresh_topics), WORLD, sender, stop, messages=10, start=START
        )


@kafka
def test_a_bounded_run_into_the_future_is_refused(fresh_topics: str) -> None:
    soon = datetime.now(UTC) + timedelta(hours=2)
    with pytest.raises(UserError, match="still to come"):
        produce(settings_for(fresh_topics), messages=10, start=soon)


@kafka
def test_a_missing_topic_is_an_error_that_says_what_to_do(fresh_topics: str) -> None:
    admin = KafkaAdminClient(bootstrap_servers=fresh_topics)
    admin.delete_topics([NEST_LOGS.name])
    poll_until(lambda: NEST_LOGS.name not in admin.list_topics(), "the topic's end", 30)
    with pytest.raises(UserError, match="no topic nest-logs"):
        produce(settings_for(fresh_topics), messages=10)
    assert NEST_LOGS.name not in admin.list_topics()
    admin.close()


def test_without_a_broker_it_says_where_it_looked() -> None:
    nowhere = f"localhost:{free_port()}"
    with pytest.raises(UserError, match=f"No Kafka broker answers at {nowhere}"):
        produce(settings_for(nowhere), messages=10)


def test_a_full_disk_stops_it_before_it_begins(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("producer.disk_space.MIN_FREE_BYTES", 1 << 60)
    with pytest.raises(UserError, match="GB of disk are free"):
        produce(settings_for("localhost:1", state=tmp_path), messages=10)
