"""Dirt: what is injected, how much of it, and that it is named."""

from collections import Counter
from datetime import UTC, datetime
from itertools import islice
from typing import Any

import orjson
import pytest

from contract.settings import Settings
from producer.dirt import DEMO_DIRT, Dirt, Outgoing, dirt_of, with_dirt
from producer.world.homes import build_home
from producer.world.instants import to_epoch_ms
from producer.world.message import Message
from producer.world.messages import generate
from producer.world.time_units import SECOND
from producer.world.timeline import Timeline

MINUTE = 60 * SECOND
START = to_epoch_ms(datetime(2026, 11, 20, 20, tzinfo=UTC))
HOMES = [build_home(1, number) for number in range(200)]
DEVICES = {camera.device_id for dwelling in HOMES for camera in dwelling.cameras}


@pytest.fixture(scope="module")
def told() -> list[Message]:
    return list(islice(generate(HOMES, Timeline(1, START)), 8000))


def sent(told: list[Message], **fractions: float) -> list[Outgoing]:
    return list(with_dirt(told, Dirt(**fractions), seed=1))


def dirty(records: list[Outgoing]) -> list[Outgoing]:
    return [record for record in records if record.dirt]


def people(record: Outgoing) -> set[tuple[str, str]]:
    cameras = orjson.loads(record.value)["devices"]["cameras"].values()
    events = [(c["device_id"], c["last_event"]) for c in cameras if "last_event" in c]
    return {(device, event["start_time"]) for device, event in events if event["has_person"]}


def test_without_dirt_only_the_messages_leave(told: list[Message]) -> None:
    records = sent(told)
    assert [(r.timestamp, r.key, r.value) for r in records] == told
    assert not dirty(records)
    assert all(record.moment == record.timestamp for record in records)


def test_dirt_is_off_unless_set_and_small_in_the_demo() -> None:
    assert dirt_of(Settings()).is_none
    assert dirt_of(Settings(dirt_late=0.25)) == Dirt(late=0.25)
    assert not DEMO_DIRT.is_none
    fractions = vars(DEMO_DIRT)
    assert set(fractions) == {"duplicate", "late", "malformed", "unplaced", "future"}
    assert all(0 < fraction <= 0.01 for fraction in fractions.values())


@pytest.mark.parametrize("kind", ["duplicate", "late", "malformed", "unplaced", "future"])
def test_each_kind_comes_in_its_fraction(told: list[Message], kind: str) -> None:
    records = sent(told, **{kind: 0.1})
    found = Counter(record.dirt for record in records)
    assert found.keys() == {None, kind}
    assert found[kind] == pytest.approx(0.1 * len(told), rel=0.15)
    assert sum(record.is_message for record in records) == len(told)


def test_the_same_messages_bring_the_same_dirt(told: list[Message]) -> None:
    every = dict.fromkeys(("duplicate", "late", "malformed", "unplaced", "future"), 0.05)
    records = sent(told, **every)
    assert sent(told, **every) == records
    again = sent(told[4000:], **every)  # a producer that starts again
    assert set(dirty(again)) <= set(dirty(records))


def test_a_duplicate_is_the_message_once_more(told: list[Message]) -> None:
    records = sent(told, duplicate=0.1)
    clean = Counter(r[1:4] for r in records if not r.dirt)
    assert set(clean.values()) == {1}
    assert all(clean[record[1:4]] for record in dirty(records))


def test_a_late_message_leaves_within_half_an_hour_and_keeps_its_timestamp(
    told: list[Message],
) -> None:
    records = sent(told, late=0.1)
    assert sorted((r.timestamp, r.key, r.value) for r in records) == sorted(told)
    left, disorder = 0, []
    for record in records:
        left = max(left, record.timestamp)
        disorder.append(left - record.timestamp)
        if record.dirt:
            assert MINUTE <= record.moment - record.timestamp < 30 * MINUTE
        else:
            assert disorder[-1] == 0
    assert 20 * MINUTE < max(disorder) < 30 * MINUTE


def test_every_sort_of_malformed_record_is_one(told: list[Message]) -> None:
    values = {record.value for record in dirty(sent(told, malformed=0.2))}
    sorts = Counter(what_is_wrong(value) for value in values)
    assert set(sorts) == {
        *("no value", "not UTF-8", "not JSON", "NaN", "not an object"),
        *("devices are no object", "a camera is no object"),
    }


def what_is_wrong(value: bytes | None) -> str:
    """Judge a record by the design's rule for `malformed`."""
    if value is None:
        return "no value"
    try:
        document = orjson.loads(value.decode())
    except UnicodeDecodeError:
        return "not UTF-8"
    except orjson.JSONDecodeError:
        return "NaN" if b":NaN" in value else "not JSON"
    return what_is_no_object(document) or "nothing"


def what_is_no_object(document: Any) -> str | None:
    if not isinstance(document, dict):
        return "not an object"
    if not isinstance(document["devices"], dict):
        return "devices are no object"
    cameras = document["devices"]["cameras"].values()
    return None if all(isinstance(c, dict) for c in cameras) else "a camera is no object"


def test_an_unplaced_camera_is_in_no_table_and_sees_somebody_in_time(told: list[Message]) -> None:
    records = dirty(sent(told, unplaced=0.1))
    for record in records:
        new = {(device, start) for device, start in people(record) if device not in DEVICES}
        ((_, start),) = new
        assert 0 < record.timestamp - to_epoch_ms(datetime.fromisoformat(start)) < MINUTE
    assert len({record.key for record in records}) > 50


def test_a_future_event_is_more_than_five_minutes_ahead_of_its_record(told: list[Message]) -> None:
    for record in dirty(sent(told, future=0.1)):
        ahead = [
            to_epoch_ms(datetime.fromisoformat(start)) - record.timestamp
            for device, start in people(record)
        ]
        assert max(ahead) > 5 * MINUTE
        assert sum(each > 0 for each in ahead) == 1
        assert {device for device, _ in people(record)} <= DEVICES
