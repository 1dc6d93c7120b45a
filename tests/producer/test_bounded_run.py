"""A bounded run sends exactly the messages that were asked for."""

import signal
import time
from collections import Counter
from contextlib import closing
from datetime import UTC, datetime, timedelta
from itertools import islice
from pathlib import Path

import pytest

from contract.errors import UserError
from contract.instants import to_epoch_ms
from contract.message import DIRT_HEADER, TIMELINE_HEADER
from contract.polling import poll_until
from producer.bounded_run import run_bounded
from producer.produce import produce
from producer.progress import ProducerProgress
from producer.sender import Sender
from producer.signals import StopEvent
from producer.timeline_header import timeline_headers
from producer.world.messages import generate
from producer.world.time_units import HOUR, SECOND
from producer.world.timeline import Timeline
from tests.fixtures.nest_command import nest_process
from tests.producer.topic import SEED, WORLD, as_message, records_in, settings_for

pytestmark = pytest.mark.kafka
START = datetime(2026, 11, 20, 1, tzinfo=UTC)


def test_a_bounded_run_sends_the_first_messages_of_the_world(fresh_topics: str) -> None:
    produce(settings_for(fresh_topics), messages=3000, start=START)
    records = records_in(fresh_topics)
    timeline = Timeline(SEED, to_epoch_ms(START))
    assert sorted(map(as_message, records)) == sorted(islice(generate(WORLD, timeline), 3000))
    assert all(record.headers == timeline_headers(timeline) for record in records)


def test_by_default_a_bounded_run_ends_before_now(fresh_topics: str) -> None:
    produce(settings_for(fresh_topics), messages=500)
    records = records_in(fresh_topics)
    assert len(records) == 500
    now = time.time() * SECOND
    assert now - 24 * HOUR < max(record.timestamp for record in records) <= now


def test_each_record_of_dirt_has_its_kind_in_a_header_and_no_timeline(fresh_topics: str) -> None:
    kinds = ("duplicate", "late", "malformed", "unplaced", "future")
    dirt = {f"dirt_{kind}": 0.03 for kind in kinds}
    produce(settings_for(fresh_topics, **dirt), messages=3000, start=START)
    records = records_in(fresh_topics)
    headers = [dict(record.headers) for record in records]
    assert all((DIRT_HEADER in each) != (TIMELINE_HEADER in each) for each in headers)
    counts = Counter(each.get(DIRT_HEADER, b"").decode() for each in headers)
    assert set(counts) == {"", *kinds}
    assert counts[""] + counts["late"] == 3000
    for kind in kinds:
        assert counts[kind] == pytest.approx(90, rel=0.4)
    assert any(record.value is None for record in records)


def test_a_bounded_run_that_is_interrupted_fails(fresh_topics: str) -> None:
    stop = StopEvent()
    stop.set()
    settings = settings_for(fresh_topics)
    with (
        closing(Sender(fresh_topics)) as sender,
        ProducerProgress(sender) as progress,
        pytest.raises(UserError, match="0 of 10 messages"),
    ):
        run_bounded(settings, WORLD, sender, progress, stop, messages=10, start=START)


def test_the_search_for_the_start_of_many_messages_shows_its_progress_and_can_be_stopped(
    fresh_topics: str, tmp_path: Path
) -> None:
    log = tmp_path / "log"
    command = ("produce", "--messages", "100000000")
    environment = {"NEST_BOOTSTRAP_SERVERS": fresh_topics, "FORCE_COLOR": "1"}
    with nest_process(*command, log=log, **environment) as process:
        poll_until(lambda: "finding the start" in log.read_text(), "the progress", 60)
        process.send_signal(signal.SIGTERM)
        assert process.wait(60) == 128 + signal.SIGTERM
    assert "Stopped after 0 of 100,000,000 messages." in log.read_text()


def test_a_bounded_run_into_the_future_is_refused(fresh_topics: str) -> None:
    just_now = datetime.now(UTC) - timedelta(seconds=1)
    with pytest.raises(UserError, match=r"Message .* of 1,000 would be of .* still to come"):
        produce(settings_for(fresh_topics), messages=1000, start=just_now)
