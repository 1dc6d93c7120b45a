"""The messages of a timeline: in order, the same every time, from whatever moment on."""

import hashlib
import os
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import islice, pairwise

import orjson
import pytest

from contract.instants import to_epoch_ms
from producer.world.documents import Message
from producer.world.homes import build_home
from producer.world.messages import generate, start_for
from producer.world.time_units import HOUR, SECOND
from producer.world.timeline import Timeline

START = to_epoch_ms(datetime(2026, 11, 20, 1, tzinfo=UTC))
HOMES = [build_home(3, number) for number in range(120)]
TIMELINE = Timeline(3, START, START + 24 * HOUR)


@pytest.fixture(scope="module")
def messages() -> list[Message]:
    """A day of a small world, and some of its live time."""
    return list(islice(generate(HOMES, TIMELINE), 14_000))


def moment(text: str) -> int:
    return to_epoch_ms(datetime.fromisoformat(text))


def cameras(message: Message) -> Iterator[dict]:
    yield from orjson.loads(message.value)["devices"]["cameras"].values()


def test_messages_are_in_the_order_of_simulated_time(messages: list[Message]) -> None:
    assert all(a.timestamp <= b.timestamp for a, b in pairwise(messages))
    assert messages[0].timestamp >= START
    assert messages[-1].timestamp > START + 24 * HOUR


def test_the_same_seed_homes_and_start_give_the_same_bytes_in_another_process() -> None:
    digest = (
        "import hashlib\n"
        "from itertools import islice\n"
        "from producer.world.homes import build_home\n"
        "from producer.world.timeline import Timeline\n"
        "from producer.world.messages import generate\n"
        "homes = [build_home(3, number) for number in range(120)]\n"
        f"messages = islice(generate(homes, Timeline(3, {START}, {START + 24 * HOUR})), 500)\n"
        "print(hashlib.sha256(b''.join(m.key + m.value for m in messages)).hexdigest())\n"
    )
    environment = {**os.environ, "PYTHONHASHSEED": "7", "TZ": "Asia/Tokyo"}
    other = subprocess.run(
        [sys.executable, "-c", digest], capture_output=True, text=True, check=True, env=environment
    )
    here = b"".join(m.key + m.value for m in islice(generate(HOMES, TIMELINE), 500))
    assert other.stdout.strip() == hashlib.sha256(here).hexdigest()


def test_a_home_sends_the_same_messages_in_a_larger_world(messages: list[Message]) -> None:
    last = messages[2000].timestamp
    few = []
    for message in generate(HOMES[:30], TIMELINE):
        if message.timestamp > last:
            break
        few.append(message)
    keys = {home.structure_id.encode() for home in HOMES[:30]}
    assert few == [m for m in messages if m.key in keys and m.timestamp <= last]


@pytest.mark.parametrize("number", [0, 1, 50, 1500, 9000, 11_000, 13_500])
def test_a_later_beginning_gives_the_same_messages_from_there_on(
    messages: list[Message], number: int
) -> None:
    begin = messages[number].timestamp
    first = next(n for n, message in enumerate(messages) if message.timestamp >= begin)
    rest = messages[first:]
    assert list(islice(generate(HOMES, TIMELINE, begin), len(rest))) == rest


def test_a_timeline_starts_without_any_last_event(messages: list[Message]) -> None:
    first = {}
    for message in messages:
        first.setdefault(message.key, message)
    assert len(first) == len(HOMES)
    silent = [c for m in first.values() for c in cameras(m) if "last_event" not in c]
    assert len(silent) > 0.3 * len(HOMES)
    assert all(
        moment(camera["last_event"]["start_time"]) >= START
        for message in messages[:3000]
        for camera in cameras(message)
        if "last_event" in camera
    )


def test_a_new_event_is_reported_within_seconds(messages: list[Message]) -> None:
    known: set[tuple[str, str]] = set()
    people = 0
    for message in messages:
        for camera in cameras(message):
            event = camera.get("last_event")
            if not event or (camera["device_id"], event["start_time"]) in known:
                continue
            known.add((camera["device_id"], event["start_time"]))
            people += event["has_person"]
            assert 0 < message.timestamp - moment(event["start_time"]) < 40 * SECOND
            if "end_time" in event:
                assert moment(event["start_time"]) < moment(event["end_time"]) < message.timestamp
    assert people > 5000


def test_a_message_is_sent_because_one_device_changed_and_repeats_the_rest(
    messages: list[Message],
) -> None:
    before: dict[bytes, bytes] = {}
    repeated = 0
    for message in messages:
        document = orjson.loads(message.value)
        previous = before.get(message.key)
        before[message.key] = message.value
        if previous is None:
            continue
        assert previous != message.value
        old, new = orjson.loads(previous)["devices"], document["devices"]
        changed = [
            (kind, name)
            for kind in ("cameras", "thermostats", "smoke_co_alarms")
            for name in new[kind]
            if new[kind][name] != old[kind][name]
        ]
        assert len(changed) == 1
        repeated += sum("last_event" in camera for camera in new["cameras"].values())
    assert repeated > len(messages) // 2


def test_a_long_event_has_no_end_while_it_goes_on(messages: list[Message]) -> None:
    open_ends = ended = 0
    going_on: dict[str, str] = {}
    for message in messages:
        for camera in cameras(message):
            event = camera.get("last_event")
            if event is None:
                continue
            if "end_time" not in event:
                open_ends += going_on.get(camera["device_id"]) != event["start_time"]
                going_on[camera["device_id"]] = event["start_time"]
            elif going_on.get(camera["device_id"]) == event["start_time"]:
                del going_on[camera["device_id"]]
                ended += 1
    assert open_ends > 500
    assert ended >= open_ends - len(going_on)
    assert len(going_on) < 20


def test_a_camera_that_goes_offline_or_comes_back_reports_it_and_when(
    messages: list[Message],
) -> None:
    last: dict[str, tuple[bool, str]] = {}
    lost = found = 0
    for message in messages:
        for camera in cameras(message):
            state = (camera["is_online"], camera["last_is_online_change"])
            assert camera["is_streaming"] == camera["is_online"]
            before = last.get(camera["device_id"], state)
            if state != before:
                assert state[0] != before[0]
                assert 0 < message.timestamp - moment(state[1]) < 5 * SECOND
                lost, found = lost + (not state[0]), found + state[0]
            last[camera["device_id"]] = state
    assert lost > 3
    assert found > 3


def test_the_default_start_is_the_latest_whole_hour_with_enough_messages() -> None:
    now = START + 30 * HOUR + 1234
    start = start_for(HOMES, 3000, now, earliest=0)
    assert start % HOUR == 0
    assert list(islice(generate(HOMES, Timeline(3, start)), 3000))[-1].timestamp <= now
    later = list(islice(generate(HOMES, Timeline(3, start + HOUR)), 3000))
    assert later[-1].timestamp > now - HOUR - 10 * SECOND


def test_the_search_for_a_start_ends_where_no_message_may_be() -> None:
    now = START + 30 * HOUR
    assert start_for(HOMES, 10**9, now, earliest=START) == START - HOUR


def test_a_very_busy_timeline_gives_the_same_messages_from_any_moment_on() -> None:
    busy = Timeline(3, START, START + HOUR, 40.0)
    messages = list(islice(generate(HOMES, busy), 4000))
    begin = messages[2500].timestamp
    rest = [message for message in messages if message.timestamp >= begin]
    assert list(islice(generate(HOMES, busy, begin), len(rest))) == rest
