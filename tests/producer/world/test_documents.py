"""A message is a document of the Nest API: its fields, its credentials, its size."""

import re
from datetime import UTC, datetime
from itertools import islice
from typing import Any

import orjson
import pytest

from contract.instants import to_epoch_ms
from contract.message import MESSAGE_SCHEMA
from producer.world.documents import Message
from producer.world.messages import generate
from producer.world.time_units import HOUR
from producer.world.timeline import Timeline
from tests.producer.first_homes import first_homes

START = to_epoch_ms(datetime(2026, 11, 20, 1, tzinfo=UTC))
MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")

CAMERA = [
    *("device_id", "software_version", "structure_id", "where_id", "where_name", "name"),
    *("name_long", "is_online", "is_streaming", "is_audio_input_enabled"),
    *("last_is_online_change", "is_video_history_enabled", "web_url", "app_url"),
    *("is_public_share_enabled", "activity_zones", "public_share_url", "snapshot_url"),
    "last_event",
]
EVENT = [
    *("has_sound", "has_motion", "has_person", "start_time", "end_time", "urls_expire_time"),
    *("web_url", "app_url", "image_url", "animated_image_url", "activity_zone_ids"),
]
# Only there if the camera is shared, has had an event, has video history, or the event is over.
SOMETIMES = {"public_share_url", "last_event", "image_url", "animated_image_url", "end_time"}
CAMERA_ALWAYS = set(CAMERA) - SOMETIMES
EVENT_ALWAYS = set(EVENT) - SOMETIMES


@pytest.fixture(scope="module")
def messages() -> list[Message]:
    homes = first_homes(150)
    return list(islice(generate(homes, Timeline(1, START)), 10_000))


@pytest.fixture(scope="module")
def documents(messages: list[Message]) -> list[dict[str, Any]]:
    return [orjson.loads(message.value) for message in messages]


def leaves(value: Any, name: str = "") -> Any:
    """Every value with the name of the field that it is in."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from leaves(inner, key)
    elif isinstance(value, list):
        for inner in value:
            yield from leaves(inner, name)
    else:
        yield name, value


def test_every_message_is_one_document_of_2_to_6_kb(messages: list[Message]) -> None:
    sizes = [len(message.value) for message in messages]
    assert min(sizes) >= 2000
    assert max(sizes) <= 6144
    assert 3000 < sum(sizes) / len(sizes) < 5000


def test_every_camera_has_the_fields_of_the_nest_api_in_their_order(
    documents: list[dict[str, Any]],
) -> None:
    found = set()
    for document in documents:
        for key, camera in document["devices"]["cameras"].items():
            assert [name for name in CAMERA if name in camera] == list(camera)
            assert camera.keys() >= CAMERA_ALWAYS
            assert camera["device_id"] == key
            event = camera.get("last_event", {})
            assert [name for name in EVENT if name in event] == list(event)
            assert not event or event.keys() >= EVENT_ALWAYS
            found |= camera.keys() | event.keys()
    assert found >= SOMETIMES


def test_every_field_is_in_the_schema_with_its_type(documents: list[dict[str, Any]]) -> None:
    schema = orjson.loads(MESSAGE_SCHEMA.read_bytes())
    for document in documents[:2000]:
        assert_fits(document, schema, "")


def assert_fits(value: Any, kind: Any, path: str) -> None:
    """Compare a value with a Spark type in its JSON form."""
    name = kind if isinstance(kind, str) else kind["type"]
    if name == "struct":
        fields = {field["name"]: field["type"] for field in kind["fields"]}
        for key, inner in value.items():
            assert key in fields, f"{path}.{key}"
            assert_fits(inner, fields[key], f"{path}.{key}")
    elif name == "map":
        for key, inner in value.items():
            assert_fits(inner, kind["valueType"], f"{path}.{key}")
    elif name == "array":
        for inner in value:
            assert_fits(inner, kind["elementType"], f"{path}[]")
    elif name == "timestamp":
        assert MOMENT.fullmatch(value), path
    else:
        expected = {"string": str, "boolean": bool, "long": int, "double": float}[name]
        assert type(value) is expected, path


def test_credentials_are_where_nest_has_them(documents: list[dict[str, Any]]) -> None:
    for document in documents[:2000]:
        assert document["metadata"]["access_token"].startswith("c.")
        for name, value in leaves(document["devices"]["cameras"]):
            if name.endswith("_url"):
                assert re.search(r"^[^?]*\?auth=c\.\w+$", value), value
                address, _, credential = value.partition("?auth=")
                assert credential not in address


def test_a_home_keeps_its_access_token_and_no_other_home_has_it(messages: list[Message]) -> None:
    homes = first_homes(150)
    later = islice(generate(homes, Timeline(1, START + HOUR, START + 5 * HOUR, 2.0)), 5000)
    tokens: dict[bytes, set[str]] = {}
    for message in (*messages, *later):
        token = orjson.loads(message.value)["metadata"]["access_token"]
        tokens.setdefault(message.key, set()).add(token)
    assert all(len(each) == 1 for each in tokens.values())
    assert len(set.union(*tokens.values())) == len(tokens) == len(homes)


def test_a_structure_names_its_devices_and_rooms(documents: list[dict[str, Any]]) -> None:
    for document in documents[:2000]:
        ((structure_id, structure),) = document["structures"].items()
        devices = document["devices"]
        for kind in ("cameras", "thermostats", "smoke_co_alarms"):
            assert structure[kind] == list(devices[kind])
            for device in devices[kind].values():
                assert device["structure_id"] == structure_id
                assert structure["wheres"][device["where_id"]]["name"] == device["where_name"]
        assert structure["time_zone"] == "America/Los_Angeles"
        assert re.fullmatch(r"9\d{4}", structure["postal_code"])


def test_the_key_is_the_structure_id(messages: list[Message]) -> None:
    for message in messages[:500]:
        assert [message.key.decode()] == list(orjson.loads(message.value)["structures"])
