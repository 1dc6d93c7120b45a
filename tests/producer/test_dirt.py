"""Dirt: what is injected, how much of it, and that it is named."""

from collections import Counter, defaultdict
from datetime import UTC, datetime
from itertools import islice
from typing import Any

import orjson
import pytest

from contract.instants import to_epoch_ms
from contract.settings import Settings
from producer.dirt import DEMO_DIRT, Dirt, dirt_of, with_demo_dirt, with_dirt
from producer.record import OutgoingRecord
from producer.timeline_header import timeline_headers
from producer.world.documents import Message
from producer.world.messages import generate
from producer.world.time_units import MINUTE
from producer.world.timeline import Timeline
from tests.producer.first_homes import first_homes

START = to_epoch_ms(datetime(2026, 11, 20, 20, tzinfo=UTC))
HOMES = first_homes(200)
DEVICES = {camera.device_id for home in HOMES for camera in home.cameras}
TIMELINE = Timeline(1, START)


@pytest.fixture(scope="module")
def messages() -> list[Message]:
    return list(islice(generate(HOMES, TIMELINE), 8000))


def records_of(messages: list[Message], **fractions: float) -> list[OutgoingRecord]:
    return list(with_dirt(messages, TIMELINE, Dirt(**fractions)))


def kind_of(record: OutgoingRecord) -> str | None:
    """The kind of dirt that a record's header names; None for a plain message."""
    if record.headers == timeline_headers(TIMELINE):
        return None
    ((name, kind),) = record.headers
    assert name == "dirt"
    return kind.decode()


def dirty(records: list[OutgoingRecord]) -> list[OutgoingRecord]:
    return [record for record in records if kind_of(record)]


def as_message(record: OutgoingRecord) -> tuple[int, bytes, bytes | None]:
    return (record.timestamp, record.key, record.value)


def people(record: OutgoingRecord) -> set[tuple[str, str]]:
    cameras = orjson.loads(record.value)["devices"]["cameras"].values()
    events = [(c["device_id"], c["last_event"]) for c in cameras if "last_event" in c]
    return {(device, event["start_time"]) for device, event in events if event["has_person"]}


def test_without_dirt_only_the_messages_are_sent(messages: list[Message]) -> None:
    records = records_of(messages)
    assert [as_message(record) for record in records] == messages
    assert not dirty(records)
    assert all(record.send_at == record.timestamp for record in records)


def test_dirt_is_off_unless_set_and_small_in_the_demo() -> None:
    assert dirt_of(Settings()).is_none
    assert dirt_of(Settings(dirt_late=0.25)) == Dirt(late=0.25)
    assert not DEMO_DIRT.is_none
    fractions = vars(DEMO_DIRT)
    assert set(fractions) == {"duplicate", "late", "malformed", "unplaced", "future"}
    assert all(0 < fraction <= 0.01 for fraction in fractions.values())


@pytest.mark.parametrize("kind", ["duplicate", "late", "malformed", "unplaced", "future"])
def test_each_kind_comes_in_its_fraction(messages: list[Message], kind: str) -> None:
    records = records_of(messages, **{kind: 0.1})
    found = Counter(kind_of(record) for record in records)
    assert found.keys() == {None, kind}
    assert found[kind] == pytest.approx(0.1 * len(messages), rel=0.15)
    assert sum(record.is_message for record in records) == len(messages)


def test_the_same_messages_bring_the_same_dirt(messages: list[Message]) -> None:
    every = dict.fromkeys(("duplicate", "late", "malformed", "unplaced", "future"), 0.05)
    records = records_of(messages, **every)
    assert records_of(messages, **every) == records
    again = records_of(messages[4000:], **every)  # a producer that starts again
    first = dirty(records)
    assert all(record in first for record in dirty(again))


def test_a_duplicate_is_the_message_once_more(messages: list[Message]) -> None:
    records = records_of(messages, duplicate=0.1)
    clean = Counter(as_message(record) for record in records if not kind_of(record))
    assert set(clean.values()) == {1}
    assert all(clean[as_message(record)] for record in dirty(records))


def test_a_late_message_is_sent_within_half_an_hour_and_keeps_its_timestamp(
    messages: list[Message],
) -> None:
    records = records_of(messages, late=0.1)
    assert sorted(map(as_message, records)) == sorted(messages)
    newest, disorder = 0, []
    for record in records:
        newest = max(newest, record.timestamp)
        disorder.append(newest - record.timestamp)
        if kind_of(record):
            assert MINUTE <= record.send_at - record.timestamp < 30 * MINUTE
        else:
            assert disorder[-1] == 0
    assert 20 * MINUTE < max(disorder) < 30 * MINUTE


def test_every_sort_of_malformed_record_is_one(messages: list[Message]) -> None:
    values = {record.value for record in dirty(records_of(messages, malformed=0.2))}
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


def test_an_unplaced_camera_is_in_no_table_and_sees_a_person_in_time(
    messages: list[Message],
) -> None:
    for record in dirty(records_of(messages, unplaced=0.1)):
        ((device, start),) = people(record)
        assert device not in DEVICES
        assert 0 < record.timestamp - to_epoch_ms(datetime.fromisoformat(start)) < MINUTE


def test_unplaced_cameras_are_those_of_a_few_homes_that_report_often(
    messages: list[Message],
) -> None:
    records = dirty(records_of(messages, unplaced=0.1))
    cameras = defaultdict(set)
    for record in records:
        document = orjson.loads(record.value)
        (camera,) = document["devices"]["cameras"].values()
        assert camera["structure_id"] == record.key.decode()
        assert list(document["structures"]) == [camera["structure_id"]]
        assert camera["is_online"]
        cameras[record.key].add(camera["device_id"])
    assert len(cameras) == 8
    assert not cameras.keys() & {home.structure_id.encode() for home in HOMES}
    assert all(len(devices) == 1 for devices in cameras.values())
    assert min(Counter(record.key for record in records).values()) > len(records) / 16


def test_a_future_event_is_more_than_five_minutes_ahead_of_its_record(
    messages: list[Message],
) -> None:
    for record in dirty(records_of(messages, future=0.1)):
        ahead = [
            to_epoch_ms(datetime.fromisoformat(start)) - record.timestamp
            for device, start in people(record)
        ]
        assert max(ahead) > 5 * MINUTE
        assert sum(each > 0 for each in ahead) == 1
        assert {device for device, _ in people(record)} <= DEVICES


def test_the_demos_dirt_leaves_what_somebody_has_set() -> None:
    dirt = dirt_of(with_demo_dirt(Settings(dirt_late=0.0, dirt_future=0.5)))
    assert (dirt.late, dirt.future, dirt.duplicate) == (0.0, 0.5, DEMO_DIRT.duplicate)
