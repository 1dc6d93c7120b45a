"""The rules for bad input, as a table of records and what has to become of them."""

from datetime import UTC, datetime
from typing import Any

import orjson
import pytest

from pipeline.parsing.rules import judge, parse_timestamp
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
def test_what_is_no_document_is_malformed_as_a_whole(value: bytes | None, why: str) -> None:
    judged = judge(value, CAMERA)
    assert list(judged.reasons) == ["malformed"], why
    assert judged.cameras == []


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
    judged = judge(value, CAMERA)
    assert judged.reasons == {}
    assert judged.cameras == []


@pytest.mark.parametrize(
    "camera", [None, {}, {"device_id": None}, {"device_id": ""}, {"device_id": ["x"]}]
)
def test_a_camera_without_an_id_is_left_out_and_its_neighbours_go_on(camera: Any) -> None:
    judged = judge(document(GOOD, camera), CAMERA)
    assert judged.reasons == {"camera": "key1"}
    assert [clean["device_id"] for clean in judged.cameras] == ["good"]


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
    judged = judge(document({**GOOD, field: value}), CAMERA)
    assert judged.reasons == {"field": f"good: {field}"}
    assert judged.cameras[0][field] is None


def test_the_smallest_wrong_thing_is_null() -> None:
    camera = {
        "device_id": "a",
        "activity_zones": ["x", {"name": ["y"], "id": "1"}, None],
        "last_event": {"has_person": 0, "start_time": "2026-11-20T10:00:00Z"},
    }
    judged = judge(document(camera), CAMERA)
    assert judged.reasons == {
        "field": "a: activity_zones[0], a: activity_zones[1].name, a: last_event.has_person"
    }
    (clean,) = judged.cameras
    assert clean["activity_zones"] == [None, {"name": None, "id": "1"}, None]
    assert clean["last_event"]["has_person"] is None
    assert clean["last_event"]["start_time"] == "2026-11-20T10:00:00.000000Z"


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
def test_a_text_field_keeps_the_json_text_of_what_is_not_text(written: bytes, kept: str) -> None:
    judged = judge(b'{"devices":{"cameras":{"k":{"device_id":"a","name":%b}}}}' % written, CAMERA)
    assert judged.reasons == {}
    assert judged.cameras[0]["name"] == kept


def test_an_id_that_is_a_number_is_an_id() -> None:
    judged = judge(document({"device_id": 7}), CAMERA)
    assert judged.reasons == {}
    assert judged.cameras[0]["device_id"] == "7"


@pytest.mark.parametrize(
    ("text", "instant"),
    [
        ("2026-11-20T10:00:00Z", datetime(2026, 11, 20, 10, tzinfo=UTC)),
        ("2026-11-20T10:00:00", datetime(2026, 11, 20, 10, tzinfo=UTC)),
        ("2026-11-20T12:00:00+02:00", datetime(2026, 11, 20, 10, tzinfo=UTC)),
        ("2026-11-20T06:30:00-0330", datetime(2026, 11, 20, 10, tzinfo=UTC)),
        ("2026-11-20T05:00:00-05", datetime(2026, 11, 20, 10, tzinfo=UTC)),
        ("2026-11-20T10:00:00.1Z", datetime(2026, 11, 20, 10, 0, 0, 100_000, tzinfo=UTC)),
        ("2026-11-20T10:00:00.123456999Z", datetime(2026, 11, 20, 10, 0, 0, 123_456, tzinfo=UTC)),
        ("0001-01-01T00:00:00Z", datetime(1, 1, 1, tzinfo=UTC)),
        ("0001-01-01T00:00:00+01:00", None),
        ("0000-01-01T00:00:00Z", None),
        ("2026-11-20 10:00:00Z", None),
        ("2026-11-20T10:00Z", None),
        ("2026-11-20T24:00:00Z", None),
        ("2026-11-20T10:00:60Z", None),
        ("2026-11-20T10:00:00.1234567890Z", None),
        ("2026-11-20T10:00:00z", None),
        ("٢٠٢٦-11-20T10:00:00Z", None),
        ("", None),
    ],
)
def test_timestamps_are_iso_8601_to_the_microsecond(text: str, instant: datetime | None) -> None:
    assert parse_timestamp(text) == instant
