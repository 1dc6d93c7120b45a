"""The rules for bad input: tables of records, and what is kept and reported of each."""

from typing import Any

import orjson
import pytest

from pipeline.parsing.rules import parse_strictly
from pipeline.schema import arrow_struct, camera_schema

CAMERA = arrow_struct(camera_schema())


def document(*cameras: Any) -> bytes:
    return orjson.dumps(
        {"devices": {"cameras": {f"key{n}": camera for n, camera in enumerate(cameras)}}}
    )


GOOD = {"device_id": "good", "name": "Door"}


@pytest.mark.parametrize(
    ("value", "why"),
    [
        (None, "no value"),
        (b"", "nothing"),
        (b"  ", "only blanks"),
        (b"{", "cut off"),
        (b"[]", "an array"),
        (b'"{}"', "a text"),
        (b"null", "null"),
        (b"{}{}", "two documents"),
        (b"{}}", "a stray brace"),
        (b'{},"x":{}', "what would be valid with something around it"),
        (b'{},"end":1}', "what would close something around it"),
        (b"{'a': 1}", "single quotes"),
        (b'{"a": NaN}', "not a number"),
        (b'{"a": Infinity}', "infinite"),
        (b'{"a": 01}', "a leading zero"),
        (b'{"a": 1,}', "a trailing comma"),
        (b'{"a": "\t"}', "a bare control character"),
        (b'{"a": "\\x"}', "an unknown escape"),
        (b'{"a": "\xff"}', "not UTF-8"),
        (b'\xef\xbb\xbf{"a": 1}', "a byte order mark"),
        (b"\xff\xfe{\x00}\x00", "UTF-16"),
        (b'{"devices": 5}', "devices that are none"),
        (b'{"devices": []}', "devices that are a list"),
        (b'{"devices": {"cameras": "x"}}', "cameras that are none"),
        (document(GOOD, "x"), "a camera that is a text"),
        (document(GOOD, []), "a camera that is a list"),
        (document(GOOD, "{}"), "a camera that is a text of an object"),
        (b"[" * 100_000, "nested too deeply"),
        (b'{"a":' + b"[" * 512 + b"]" * 512 + b"}", "nested a level too deeply"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_record_that_is_no_document_is_malformed_as_a_whole(
    value: bytes | None, why: str
) -> None:
    parse = parse_strictly(value, CAMERA)
    assert list(parse.reasons) == ["malformed"], why
    assert parse.cameras == []


@pytest.mark.parametrize(
    ("value", "detail"),
    [
        (b'{"a": "b', "not JSON: Unterminated string starting at character 6"),
        (b'{"a": "\t"}', "not JSON: Invalid control character at character 7"),
        (b"{}{}", "not JSON: Extra data at character 2"),
    ],
)
def test_a_detail_says_once_at_which_character_a_record_stops_being_json(
    value: bytes, detail: str
) -> None:
    assert parse_strictly(value, CAMERA).reasons == {"malformed": detail}


@pytest.mark.parametrize(
    "value",
    [
        b"{}",
        b' \t\r\n{"devices": null}\n ',
        b'{"devices": {}}',
        b'{"devices": {"cameras": null}}',
        b'{"devices": {"cameras": {}}, "unknown": [1e999, {"x": "\\ud800"}]}',
        b'{"a":' + b"[" * 511 + b"]" * 511 + b"}",
        b'{"devices": {"thermostats": 5}, "structures": "odd", "metadata": []}',
    ],
)
def test_a_document_without_cameras_is_valid(value: bytes) -> None:
    parse = parse_strictly(value, CAMERA)
    assert parse.reasons == {}
    assert parse.cameras == []


@pytest.mark.parametrize(
    "camera", [None, {}, {"device_id": None}, {"device_id": ""}, {"device_id": ["x"]}]
)
def test_a_camera_without_an_id_is_left_out_and_its_neighbours_are_kept(camera: Any) -> None:
    parse = parse_strictly(document(GOOD, camera), CAMERA)
    assert parse.reasons == {"camera": "key1"}
    assert [fitted["device_id"] for fitted in parse.cameras] == ["good"]


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("is_online", "true"),
        ("is_online", 1),
        ("name", ["a"]),
        ("activity_zones", "zone"),
        ("activity_zones", {"name": "a"}),
        ("last_event", 5),
        ("last_event", []),
        ("last_event", ""),
        ("activity_zones", ""),
        ("last_is_online_change", 1_763_600_000),
        ("last_is_online_change", "yesterday"),
        ("last_is_online_change", "2026-02-30T00:00:00Z"),
    ],
)
def test_a_field_of_a_wrong_type_is_null_and_named(field: str, value: Any) -> None:
    parse = parse_strictly(document({**GOOD, field: value}), CAMERA)
    assert parse.reasons == {"field": f"good: {field}"}
    assert parse.cameras[0][field] is None


def test_only_the_smallest_wrong_part_of_a_field_is_null() -> None:
    camera = {
        "device_id": "a",
        "activity_zones": ["x", {"name": ["y"], "id": "1"}, None],
        "last_event": {"has_person": 0, "start_time": "2026-11-20T10:00:00Z"},
    }
    parse = parse_strictly(document(camera), CAMERA)
    assert parse.reasons == {
        "field": "a: activity_zones[0], a: activity_zones[1].name, a: last_event.has_person"
    }
    (fitted,) = parse.cameras
    assert fitted["activity_zones"] == [None, {"name": None, "id": "1"}, None]
    assert fitted["last_event"]["has_person"] is None
    assert fitted["last_event"]["start_time"] == "2026-11-20T10:00:00.000000Z"


@pytest.mark.parametrize(
    ("written", "kept"),
    [
        (b"5", "5"),
        (b"1.10", "1.10"),
        (b"123456789012345678901234567890", "123456789012345678901234567890"),
        (b"true", "true"),
        (b'{"a": [1, null, "\xc3\xa4"]}', '{"a":[1,null,"ä"]}'),
        (b'"\\ud800x"', "?x"),
        (b'{"a":' * 507 + b"{}" + b"}" * 507, '{"a":' * 507 + "{}" + "}" * 507),
    ],
)
def test_a_text_field_keeps_other_values_as_their_json_text(written: bytes, kept: str) -> None:
    parse = parse_strictly(
        b'{"devices":{"cameras":{"k":{"device_id":"a","name":%b}}}}' % written, CAMERA
    )
    assert parse.reasons == {}
    assert parse.cameras[0]["name"] == kept


def test_an_id_that_is_a_number_is_an_id() -> None:
    parse = parse_strictly(document({"device_id": 7}), CAMERA)
    assert parse.reasons == {}
    assert parse.cameras[0]["device_id"] == "7"
