"""Where a producer that starts goes on, by what is in nest-logs."""

from contextlib import closing
from itertools import islice

import pytest

from producer.replay_clock import now
from producer.resume import ResumePoint, find_resume_point
from producer.sender import Sender
from producer.timeline_header import timeline_headers
from producer.world.documents import Message
from producer.world.homes import build_home
from producer.world.messages import generate
from producer.world.time_units import HOUR
from producer.world.timeline import Timeline
from tests.producer.topic import SEED, WORLD, send, send_with

pytestmark = pytest.mark.kafka
NOW = now()
THIS_HOUR = NOW - NOW % HOUR
EARLIER = Timeline(SEED, THIS_HOUR - 12 * HOUR, THIS_HOUR)
NEW = Timeline(SEED, THIS_HOUR - 24 * HOUR, THIS_HOUR)


def first_messages(timeline: Timeline, count: int) -> list[Message]:
    return list(islice(generate(WORLD, timeline), count))


def resume_point(sender: Sender, bootstrap_servers: str, load_factor: float = 1.0) -> ResumePoint:
    return find_resume_point(
        bootstrap_servers, WORLD, sender.partition_of, NEW, lambda live_from: load_factor
    )


def test_an_empty_topic_begins_the_new_timeline(fresh_topics: str) -> None:
    with closing(Sender(fresh_topics)) as sender:
        point = resume_point(sender, fresh_topics)
    assert (point.timeline, point.moment, point.sent) == (NEW, NEW.start, {})
    assert point.new_because == "nest-logs has no message of its homes from then on"


def test_each_partition_is_resumed_from_its_own_end(fresh_topics: str) -> None:
    """A kill may leave a partition behind the others by what was under way to it."""
    messages = first_messages(EARLIER, 600)
    with closing(Sender(fresh_topics)) as sender:
        behind = sender.partition_of(messages[0].key)
        sent = [
            message
            for number, message in enumerate(messages)
            if number < 300 or sender.partition_of(message.key) != behind
        ]
        send(sender, sent, EARLIER)
        point = resume_point(sender, fresh_topics)
        last_behind = [m for m in messages[:300] if sender.partition_of(m.key) == behind][-1]
    assert (point.timeline, point.new_because) == (EARLIER, None)
    assert point.moment == point.sent[behind] == last_behind.timestamp
    assert max(point.sent.values()) == sent[-1].timestamp


def test_a_timeline_that_ended_before_the_history_begins_is_over(fresh_topics: str) -> None:
    old = Timeline(SEED, THIS_HOUR - 90 * HOUR, THIS_HOUR - 66 * HOUR)
    with closing(Sender(fresh_topics)) as sender:
        send(sender, first_messages(old, 500), old)
        point = resume_point(sender, fresh_topics)
    assert (point.timeline, point.moment, point.sent) == (NEW, NEW.start, {})
    assert point.new_because == "nest-logs has no message of its homes from then on"


def test_a_bounded_runs_timeline_is_not_resumed(fresh_topics: str) -> None:
    bounded = Timeline(SEED, EARLIER.start)
    messages = first_messages(bounded, 500)
    with closing(Sender(fresh_topics)) as sender:
        send(sender, messages, bounded)
        point = resume_point(sender, fresh_topics)
    assert point.moment == messages[-1].timestamp + 1
    assert point.timeline == Timeline(SEED, point.moment, THIS_HOUR)
    assert point.new_because == "the newest messages of its homes are a bounded run's"


def test_a_timeline_of_another_load_factor_is_not_resumed(fresh_topics: str) -> None:
    messages = first_messages(EARLIER, 500)
    with closing(Sender(fresh_topics)) as sender:
        send(sender, messages, EARLIER)
        point = resume_point(sender, fresh_topics, load_factor=2.5)
    assert point.moment == point.timeline.start == messages[-1].timestamp + 1
    assert point.new_because == (
        "its newest messages have load factor 1, and NEST_RATE and NEST_HOMES now give 2.5"
    )


@pytest.mark.parametrize("headers", [[], [("timeline", b"c.1a1f978b58000000000000")]])
def test_a_newest_message_without_a_timeline_begins_a_new_one_after_it(
    fresh_topics: str, headers: list[tuple[str, bytes]]
) -> None:
    """An older version wrote it, or somebody else with a key of this world."""
    messages = first_messages(EARLIER, 500)
    by_hand = messages[0]._replace(timestamp=messages[-1].timestamp + 5, value=b'{"devices": {}}')
    with closing(Sender(fresh_topics)) as sender:
        send(sender, messages, EARLIER)
        send_with(sender, [by_hand], headers)
        partition = sender.partition_of(by_hand.key)
        point = resume_point(sender, fresh_topics)
    assert point.moment == point.timeline.start == by_hand.timestamp + 1
    assert point.sent == {}
    assert point.new_because is not None
    assert f"in partition {partition} at offset " in point.new_because
    assert point.new_because.endswith("has no timeline header that can be read")


def test_an_older_message_without_a_timeline_hides_nothing_of_its_partition(
    fresh_topics: str,
) -> None:
    messages = first_messages(EARLIER, 600)
    with closing(Sender(fresh_topics)) as sender:
        behind = sender.partition_of(messages[0].key)
        mine = [message for message in messages if sender.partition_of(message.key) == behind]
        others = [message for message in messages if sender.partition_of(message.key) != behind]
        by_hand = mine[0]._replace(timestamp=others[-1].timestamp - 1, value=b'{"devices": {}}')
        send(sender, [*mine[:50], *others], EARLIER)
        send_with(sender, [by_hand], [])
        point = resume_point(sender, fresh_topics)
    assert point.timeline == EARLIER
    assert point.moment == point.sent[behind] == mine[49].timestamp


def test_records_of_other_worlds_and_dirt_do_not_decide_where_to_resume(fresh_topics: str) -> None:
    messages = first_messages(EARLIER, 400)
    elsewhere = [build_home(99, number) for number in range(200)]
    other = Timeline(99, EARLIER.start)
    late = messages[0]._replace(timestamp=NOW)
    with closing(Sender(fresh_topics)) as sender:
        send(sender, messages, EARLIER)
        # More records than are read from the end at first.
        send(sender, islice(generate(elsewhere, other), 2500), other)
        send_with(sender, [late], [("dirt", b"late")])
        send_with(sender, [late], [("dirt", b"late"), *timeline_headers(NEW)])
        point = resume_point(sender, fresh_topics)
    assert point.timeline == EARLIER
    assert max(point.sent.values()) == messages[-1].timestamp
