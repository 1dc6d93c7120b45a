"""A story told: in order, the same every time, from wherever one begins."""

import hashlib
import os
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import islice, pairwise

import orjson
import pytest

from producer.world.homes import build_home
from producer.world.instants import to_epoch_ms
from producer.world.message import Message
from producer.world.messages import generate, start_for
from producer.world.time_units import HOUR, SECOND
from producer.world.timeline import Timeline, timeline_of

START = to_epoch_ms(datetime(2026, 11, 20, 1, tzinfo=UTC))
HOMES = [build_home(3, number) for number in range(120)]
STORY = Timeline(3, START, START + 24 * HOUR)


@pytest.fixture(scope="module")
def told() -> list[Message]:
    """A day of a small world, and some of its live time."""
    return list(islice(generate(HOMES, STORY), 14_000))


def moment(text: str) -> int:
    return to_epoch_ms(datetime.fromisoformat(text))


def cameras(message: Message) -> Iterator[dict]:
    yield from orjson.loads(message.value)["devices"]["cameras"].values()


def test_messages_are_in_the_order_of_simulated_time(told: list[Message]) -> None:
    assert all(a.timestamp <= b.timestamp for a, b in pairwise(told))
    assert told[0].timestamp >= START
    assert told[-1].timestamp > START + 24 * HOUR


def test_the_same_seed_homes_and_start_give_the_same_bytes_in_another_process() -> None:
    digest = (
        "import hashlib\n"
        "from itertools import islice\n"
        "from producer.world.homes import build_home\n"
        "from producer.world.timeline import Timeline\n"
        "from producer.world.messages import generate\n"
        "homes = [build_home(3, number) for number in range(120)]\n"
        f"told = islice(generate(homes, Timeline(3, {START}, {START + 24 * HOUR})), 500)\n"
        "print(hashlib.sha256(b''.join(m.key + m.value for m in told)).hexdigest())\n"
    )
    environment = {**os.environ, "PYTHONHASHSEED": "7", "TZ": "Asia/Tokyo"}
    other = subprocess.run(
        [sys.executable, "-c", digest], capture_output=True, text=True, check=True, env=environment
    )
    here = b"".join(m.key + m.value for m in islice(generate(HOMES, STORY), 500))
    assert other.stdout.strip() == hashlib.sha256(here).hexdigest()


def test_a_home_tells_the_same_in_a_larger_world(told: list[Message]) -> None:
    last = told[2000].timestamp
    few = []
    for message in generate(HOMES[:30], STORY):
        if message.timestamp > last:
            break
        few.append(message)
    keys = {dwelling.structure_id.encode() for dwelling in HOMES[:30]}
    assert few == [m for m in told if m.key in keys and m.timestamp <= last]


@pytest.mark.parametrize("number", [0, 1, 50, 1500, 9000, 11_000, 13_500])
def test_who_begins_later_tells_the_same_from_there_on(told: list[Message], number: int) -> None:
    begin = told[number].timestamp
    first = next(n for n, message in enumerate(told) if message.timestamp >= begin)
    rest = told[first:]
    assert list(islice(generate(HOMES, STORY, begin), len(rest))) == rest


def test_a_story_begins_without_any_last_event(told: list[Message]) -> None:
    first = {}
    for message in told:
        first.setdefault(message.key, message)
    assert len(first) == len(HOMES)
    silent = [c for m in first.values() for c in cameras(m) if "last_event" not in c]
    assert len(silent) > 0.3 * len(HOMES)
    assert all(
        moment(camera["last_event"]["start_time"]) >= START
        for message in told[:3000]
        for camera in cameras(message)
        if "last_event" in camera
    )


def test_a_new_event_is_reported_within_seconds(told: list[Message]) -> None:
    known: set[tuple[str, str]] = set()
    people = 0
    for message in told:
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


def test_a_message_is_sent_because_something_changed_and_repeats_the_rest(
    told: list[Message],
) -> None:
    before: dict[bytes, bytes] = {}
    repeated = 0
    for message in told:
        document = orjson.loads(message.value)
        old = before.get(message.key)
        before[message.key] = message.value
        if old is None:
            continue
        assert old != message.value
        was = orjson.loads(old)["devices"]
        now = document["devices"]
        changed = [
            (kind, name)
            for kind in ("cameras", "thermostats", "smoke_co_alarms")
            for name in now[kind]
            if now[kind][name] != was[kind][name]
        ]
        assert len(changed) == 1
        repeated += sum("last_event" in camera for camera in now["cameras"].values())
    assert repeated > len(told) // 2


def test_a_long_event_has_no_end_while_it_goes_on(told: list[Message]) -> None:
    open_ends = ended = 0
    going_on: dict[str, str] = {}
    for message in told:
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


def test_a_camera_that_goes_offline_says_so_and_when(told: list[Message]) -> None:
    last: dict[str, tuple[bool, str]] = {}
    lost = found = 0
    for message in told:
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
    start = start_for(HOMES, 3000, now)
    assert start % HOUR == 0
    assert list(islice(generate(HOMES, Timeline(3, start)), 3000))[-1].timestamp <= now
    later = list(islice(generate(HOMES, Timeline(3, start + HOUR)), 3000))
    assert later[-1].timestamp > now - HOUR - 10 * SECOND


def test_a_token_tells_which_story_it_belongs_to() -> None:
    def usual(live_from: int) -> float:
        return 1.0

    token = STORY.token(HOMES[0])
    assert timeline_of(token, 3, HOMES[0], usual) == STORY
    assert timeline_of(token, 4, HOMES[0], usual) is None  # another world
    assert timeline_of(token, 3, HOMES[1], usual) is None  # another home
    assert timeline_of(token, 3, HOMES[0], lambda _: 2.0) is None  # a busier world
    assert timeline_of("c.0123", 3, HOMES[0], usual) is None
    assert timeline_of("c." + "z" * 40, 3, HOMES[0], usual) is None
    assert timeline_of(Timeline(3, START).token(HOMES[0]), 3, HOMES[0], usual) is None  # never live
