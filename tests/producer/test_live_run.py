"""A live run sends the history and then live messages; after a stop or a kill it goes on."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import takewhile

import pytest

from contract.polling import poll_until
from producer.replay_clock import now
from producer.timeline_header import read_timeline
from producer.world.messages import generate
from producer.world.time_units import HOUR, MINUTE, SECOND
from producer.world.timeline import Timeline
from tests.producer.topic import HOMES, SEED, WORLD, as_message, records_in

pytestmark = pytest.mark.kafka
OF_WORLD = f"timeline of world {SEED} of {HOMES} homes"


@contextmanager
def producer_process(bootstrap_servers: str, **environment: str) -> Iterator[subprocess.Popen[str]]:
    """A live producer in a process of its own; killed if the test did not end it."""
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


def newest_once_live(bootstrap_servers: str) -> int | None:
    """Timestamp of the newest record, once that is hardly older than now."""
    newest = max((record.timestamp for record in records_in(bootstrap_servers)), default=0)
    return newest if newest > now() - MINUTE else None


def run_until_live(bootstrap_servers: str, **environment: str) -> str:
    """Run a producer until it is live; return what it printed."""
    with producer_process(bootstrap_servers, **environment) as process:
        poll_until(lambda: newest_once_live(bootstrap_servers), "live messages", 60)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=20)
    return errors


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
    assert f"A new {OF_WORLD} begins at" in errors
    assert "nest-logs has no message of its homes from then on." in errors
    records = records_in(fresh_topics)
    assert f"Stopped; records in Kafka: {len(records):,}." in errors
    assert len(set(map(as_message, records))) == len(records)


def test_what_a_killed_producer_repeats_is_a_resend_and_nothing_is_missing(
    fresh_topics: str,
) -> None:
    began = now()
    with producer_process(fresh_topics, NEST_SPEED="3600") as process:
        poll_until(lambda: len(records_in(fresh_topics)) > 300, "some history", 60)
        process.kill()
    before = records_in(fresh_topics)
    assert f"The {OF_WORLD} goes on at" in run_until_live(fresh_topics)
    records = records_in(fresh_topics)
    assert len(records) > len(before)
    start = min(record.timestamp for record in records) // HOUR * HOUR
    (timeline,) = {read_timeline(record.headers, SEED) for record in records}
    # An hour may have begun while the first producer did.
    hours = {moment - moment % HOUR for moment in (began, now())}
    assert timeline in {Timeline(SEED, start, hour) for hour in hours}
    last = max(record.timestamp for record in records)
    expected = set(takewhile(lambda m: m.timestamp <= last, generate(WORLD, timeline)))
    assert set(map(as_message, records)) == expected
    assert len(records) - len(expected) < 20


def test_another_rate_begins_a_new_timeline_and_says_so(fresh_topics: str) -> None:
    run_until_live(fresh_topics)
    before = max(record.timestamp for record in records_in(fresh_topics))
    with producer_process(fresh_topics, NEST_RATE="20") as process:
        poll_until(
            lambda: max(r.timestamp for r in records_in(fresh_topics)) > before, "a message", 60
        )
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=20)
    assert f"A new {OF_WORLD} begins at" in errors
    assert "its newest messages have load factor 1, and NEST_RATE and NEST_HOMES now give" in errors
