"""What a record must have become: the design's rules as a table of odd documents."""

import json
from datetime import UTC, datetime
from typing import Any

import pytest

from check.difference import show
from check.document import MAX_DEPTH, MalformedError, decode
from check.expected_record import Judge, Judgement
from check.fields import CAMERA, LAST_EVENT
from check.instants import format_instant, parse_instant

SENT = parse_instant("2026-11-20T10:20:00Z") or 0
MINUTE = 60_000_000
judge = Judge(clock_skew=5 * MINUTE)


def judged(value: bytes | str | None) -> Judgement:
    return judge(value.encode() if isinstance(value, str) else value, SENT)


def of_cameras(cameras: Any) -> Judgement:
    return judged(json.dumps({"devices": {"cameras": cameras}}))


def of_camera(**fields: Any) -> Judgement:
    return of_cameras({"a": {"device_id": "d1", **fields}})


def only_row(judgement: Judgement) -> dict[str, Any]:
    """The one archive row, by column; last_event is by field where it is not null."""
    (row,) = judgement.rows
    named = dict(zip([*CAMERA.fields, "timestamp"], row, strict=True))
    if named["last_event"] is not None:
        named["last_event"] = dict(zip(LAST_EVENT.fields, named["last_event"], strict=True))
    return named


def as_detail(judgement: Judgement, reason: str) -> str:
    return json.loads(repr(judgement.reasons[reason]).replace("'", '"'))


MALFORMED = {
    "no value": None,
    "empty value": "",
    "blank value": " \n\t ",
    "a word": "nest",
    "null": "null",
    "a number": "5",
    "a text": '"text"',
    "a boolean": "true",
    "an empty array": "[]",
    "an array of one object": "[{}]",
    "two objects": "{}{}",
    "two objects on two lines": "{}\n{}",
    "a stray brace": "{}}",
    "members behind the object": '{},"x":{}',
    "a comma behind the object": "{},",
    "a word behind the object": "{} nest",
    "a byte order mark": b"\xef\xbb\xbf{}",
    "a byte order mark behind": b"{}\xef\xbb\xbf",
    "UTF-16": "{}".encode("utf-16"),
    "a no-break space around": "\u00a0{}",
    "a form feed around": "{}\f",
    "a zero byte behind": "{}\0",
    "Latin-1 in a text": b'{"name":"caf\xe9"}',
    "overlong UTF-8": b'{"name":"\xc0\xaf"}',
    "a surrogate in UTF-8": b'{"name":"\xed\xa0\x80"}',
    "UTF-8 cut off": b'{"name":"\xe2\x82"}',
    "cut off": '{"devices":{"cameras":{"a":{"device_id":"d1"',
    "cut off in a text": '{"devices":"',
    "single quotes": "{'devices':{}}",
    "a name without quotes": "{devices:{}}",
    "a trailing comma in an object": '{"devices":{},}',
    "a trailing comma in an array": '{"x":[1,]}',
    "a missing comma": '{"x":1 "y":2}',
    "a missing value": '{"x":}',
    "a comment": '{/* nest */"x":1}',
    "NaN": '{"x":NaN}',
    "Infinity": '{"x":Infinity}',
    "-Infinity": '{"x":-Infinity}',
    "nan in lower case": '{"x":nan}',
    "True": '{"x":True}',
    "a leading zero": '{"x":01}',
    "a leading plus": '{"x":+1}',
    "a lone minus": '{"x":-}',
    "a leading point": '{"x":.5}',
    "a trailing point": '{"x":1.}',
    "an empty exponent": '{"x":1e}',
    "a hexadecimal number": '{"x":0x1}',
    "a line feed in a text": '{"x":"a\nb"}',
    "a tab in a text": '{"x":"a\tb"}',
    "a zero byte in a text": '{"x":"a\0b"}',
    "an unknown escape": '{"x":"\\q"}',
    "an escaped quote cut short": '{"x":"\\u00e"}',
    "an escape that is no hexadecimal": '{"x":"\\u00zz"}',
    "a number as name": "{1:2}",
    "nested too deeply in a list": '{"x":' + "[" * MAX_DEPTH + "]" * MAX_DEPTH + "}",
    "nested too deeply in objects": '{"x":' * (MAX_DEPTH + 1) + "1" + "}" * (MAX_DEPTH + 1),
    "nested far too deeply": '{"x":' + "[" * 100_000 + "]" * 100_000 + "}",
    "brackets without an end": "{" + "[" * 100_000,
    "devices as text": '{"devices":"x"}',
    "devices as array": '{"devices":[]}',
    "devices as number": '{"devices":0}',
    "devices as boolean": '{"devices":false}',
    "cameras as text": '{"devices":{"cameras":""}}',
    "cameras as array": '{"devices":{"cameras":[{"device_id":"d1"}]}}',
    "cameras as boolean": '{"devices":{"cameras":true}}',
    "a camera as text": '{"devices":{"cameras":{"a":"x","b":{"device_id":"d1"}}}}',
    "a camera as array": '{"devices":{"cameras":{"b":{"device_id":"d1"},"a":[]}}}',
    "a camera as number": '{"devices":{"cameras":{"a":1}}}',
    "a camera as boolean beside a null": '{"devices":{"cameras":{"a":null,"b":false}}}',
}


@pytest.mark.parametrize("value", MALFORMED.values(), ids=MALFORMED.keys())
def test_a_malformed_record_gives_that_reason_alone(value: bytes | str | None) -> None:
    rows, sightings, reasons = judged(value)
    assert rows == []
    assert sightings == []
    assert list(reasons) == ["malformed"]


WITHOUT_ROWS = {
    "an empty object": "{}",
    "white space around": " \t\r\n{} \t\r\n",
    "devices null": '{"devices":null}',
    "devices empty": '{"devices":{}}',
    "cameras null": '{"devices":{"cameras":null}}',
    "cameras empty": '{"devices":{"cameras":{}}}',
    "no cameras": '{"devices":{"thermostats":{"t":{"device_id":"t1"}}}}',
    "names are told apart by case": '{"Devices":5,"devices":{"Cameras":5}}',
    "anything elsewhere": '{"metadata":[],"structures":7,"devices":{"thermostats":"x"}}',
    "nested as deeply as may be": '{"x":' + "[" * (MAX_DEPTH - 1) + "]" * (MAX_DEPTH - 1) + "}",
    "brackets in a text": '{"x":"' + "[{" * 1000 + '"}',
    "a quote among brackets in a text": '{"x":"\\"' + "[" * 1000 + '"}',
    "many brackets side by side": '{"x":[' + ",".join(["[]"] * 1000) + "]}",
    "a huge integer": '{"x":' + "9" * 10_000 + "}",
    "a huge negative integer": '{"x":-' + "9" * 10_000 + "}",
    "a number too large for a float": '{"x":1e400,"y":-1e400,"z":1e-400}',
    "odd but good numbers": '{"x":[-0,0.0,1E+2,1e-2,-1.5e3]}',
    "lone surrogates": '{"x":"\\ud800","\\udc00":1}',
    "a zero escaped": '{"x":"\\u0000"}',
    "every escape": '{"x":"\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9"}',
    "DEL and a line separator in a text": '{"x":"\x7f\u2028"}',
    "a byte order mark in a text": '{"x":"\ufeff"}',
}


@pytest.mark.parametrize("value", WITHOUT_ROWS.values(), ids=WITHOUT_ROWS.keys())
def test_a_document_without_cameras_is_valid_and_gives_no_rows(value: str) -> None:
    assert judged(value) == ([], [], {})


@pytest.mark.parametrize(
    "camera",
    [None, {}, {"device_id": None}, {"device_id": ""}, {"device_id": []}, {"device_id": ["d1"]}],
    ids=str,
)
def test_a_camera_without_an_id_is_rejected_and_its_neighbours_go_on(camera: Any) -> None:
    broken = camera and {
        **camera,
        "is_online": 7,
        "last_event": {"start_time": "2030-01-01T00:00:00Z"},
    }
    judgement = of_cameras({"key 2": broken, "key 1": camera, "good": {"device_id": "d1"}})
    assert only_row(judgement)["device_id"] == "d1"
    assert judgement.reasons == {"camera": "key 1, key 2"}


@pytest.mark.parametrize(
    ("device_id", "text"),
    [
        (" ", " "),
        (5, "5"),
        (0, "0"),
        (-1.50, "-1.5"),
        (True, "true"),
        (False, "false"),
        ({}, "{}"),
        ({"id": "é"}, '{"id":"é"}'),
        ("\ud800x", "?x"),
    ],
)
def test_an_id_that_is_not_text_is_kept_as_its_json_text(device_id: Any, text: str) -> None:
    event = {"has_person": True, "start_time": "2026-11-20T10:00:00Z", "end_time": "soon"}
    judgement = of_cameras({"a": {"device_id": device_id, "last_event": event}})
    assert only_row(judgement)["device_id"] == text
    assert judgement.sightings == [(text, parse_instant("2026-11-20T10:00:00Z"))]
    shown = text.replace("?x", "?***")  # what follows a question mark may be a credential
    separator = "" if shown != text else ":"
    assert judgement.reasons == {"field": f"{shown}{separator} last_event.end_time"}


def test_an_id_keeps_its_number_as_it_was_written() -> None:
    judgement = judged('{"devices":{"cameras":{"a":{"device_id":1.50e2,"is_online":1}}}}')
    assert judgement.reasons == {"field": "1.50e2: is_online"}


def test_a_huge_number_in_a_text_field_keeps_every_digit() -> None:
    digits = "9" * 10_000
    for written in (digits, "-" + digits):
        value = f'{{"devices":{{"cameras":{{"a":{{"device_id":{written},"name":[{written}]}}}}}}}}'
        row = only_row(judged(value))
        assert row["device_id"] == written
        assert row["device_id"] != written[:-1] + "8"


def test_two_cameras_with_one_id_are_two_rows() -> None:
    judgement = of_cameras({k: {"device_id": "d1", "name": k, "is_online": 0} for k in "ab"})
    assert [row[5] for row in judgement.rows] == ["a", "b"]
    # The ruling does not say whether what two cameras have in common stands once or twice.
    assert judgement.reasons == {"field": "d1: is_online"}
    assert judgement.reasons == {"field": "d1: is_online, d1: is_online"}
    assert judgement.reasons != {"field": "d1: is_online, d2: is_online"}


TEXTS = [
    n for n in CAMERA.fields if n.endswith(("_id", "_name", "_version", "name_long")) or n == "name"
]
URLS = [n for n in CAMERA.fields if n.endswith("_url")]
FLAGS = [n for n in CAMERA.fields if n.startswith("is_")]
TIMES = ["last_is_online_change"]


def test_every_field_is_of_one_of_these_kinds() -> None:
    assert {*TEXTS, *URLS, *FLAGS, *TIMES, "activity_zones", "last_event"} == set(CAMERA.fields)
    assert len(CAMERA.fields) == 19
    assert len(LAST_EVENT.fields) == 11


@pytest.mark.parametrize("name", [*TEXTS[1:], *URLS])
def test_a_text_field_keeps_what_is_no_array(name: str) -> None:
    for value in ("x", "", " x ", "null", "é😀"):
        judgement = of_camera(**{name: value})
        assert only_row(judgement)[name] == value
        assert judgement.reasons == {}
    for value, text in [
        (5, "5"),
        (1.5, "1.5"),
        (1.5, "1.50"),
        (100.0, "1E2"),
        (True, "true"),
        ({"b": [1, None], "a": "é"}, '{"b":[1,null],"a":"é"}'),
        ({"b": [1, None], "a": "é"}, '{"a":"\\u00e9", "b":[1.0,null]}'),
        ({}, "{}"),
    ]:
        judgement = of_camera(**{name: value})
        assert only_row(judgement)[name] == text, value
        assert judgement.reasons == {}
    for value, other in [(1, "true"), (True, "1"), ({"a": 1}, '{"a":2}'), (5, "x"), (5, None)]:
        assert only_row(of_camera(**{name: value}))[name] != other
    for value in ([], ["x"], [None]):
        judgement = of_camera(**{name: value})
        assert only_row(judgement)[name] is None
        assert judgement.reasons == {"field": f"d1: {name}"}


@pytest.mark.parametrize("name", FLAGS)
def test_a_boolean_field_takes_booleans_only(name: str) -> None:
    for value in (True, False):
        assert only_row(of_camera(**{name: value}))[name] is value
    for value in ("true", "", 0, 1, 1.0, [], [True], {}):
        judgement = of_camera(**{name: value})
        assert only_row(judgement)[name] is None
        assert judgement.reasons == {"field": f"d1: {name}"}


@pytest.mark.parametrize("name", [n for n in CAMERA.fields if n != "device_id"])
def test_null_counts_as_absent(name: str) -> None:
    assert of_camera(**{name: None}) == of_camera()
    assert only_row(of_camera(**{name: None}))[name] is None


def test_unknown_fields_are_no_error_and_names_are_told_apart_by_case() -> None:
    assert of_camera(colour=[], Name="x", IS_ONLINE=5) == of_camera()


MOMENTS = {
    "2016-10-31T23:59:59Z": "2016-10-31T23:59:59Z",
    "2016-10-31T23:59:59": "2016-10-31T23:59:59Z",
    "2016-10-31T23:59:59.1Z": "2016-10-31T23:59:59.100000Z",
    "2016-10-31T23:59:59.000Z": "2016-10-31T23:59:59Z",
    "2016-10-31T23:59:59.123456Z": "2016-10-31T23:59:59.123456Z",
    "2016-10-31T23:59:59.123456789Z": "2016-10-31T23:59:59.123456Z",
    "2016-10-31T23:59:59.999999999": "2016-10-31T23:59:59.999999Z",
    "2016-10-31T23:59:59+00:00": "2016-10-31T23:59:59Z",
    "2016-10-31T23:59:59-00:00": "2016-10-31T23:59:59Z",
    "2016-10-31T23:59:59+05:30": "2016-10-31T18:29:59Z",
    "2016-10-31T23:59:59-0800": "2016-11-01T07:59:59Z",
    "2016-10-31T23:59:59+01": "2016-10-31T22:59:59Z",
    "2016-10-31T23:59:59.5-07:00": "2016-11-01T06:59:59.500000Z",
    "2016-02-29T00:00:00Z": "2016-02-29T00:00:00Z",
    "1969-12-31T23:59:59.9999999Z": "1969-12-31T23:59:59.999999Z",
    "0001-01-01T00:00:00Z": "0001-01-01T00:00:00Z",
    "9999-12-31T23:59:59.999999Z": "9999-12-31T23:59:59.999999Z",
    "1582-10-10T00:00:00Z": "1582-10-10T00:00:00Z",
}
NO_MOMENTS = [
    "",
    " ",
    "now",
    "2016",
    "2016-10-31",
    "2016-10-31 23:59:59Z",
    "2016-10-31t23:59:59Z",
    "2016-10-31T23:59:59z",
    "2016-10-31T23:59",
    "2016-10-31T23:59Z",
    "2016-10-31T23:59:60Z",
    "2016-10-31T23:60:59Z",
    "2016-10-31T24:00:00Z",
    "2016-10-32T00:00:00Z",
    "2016-13-31T00:00:00Z",
    "2016-00-31T00:00:00Z",
    "2016-10-00T00:00:00Z",
    "2015-02-29T00:00:00Z",
    "0000-01-01T00:00:00Z",
    "10000-01-01T00:00:00Z",
    "-2016-10-31T23:59:59Z",
    "+2016-10-31T23:59:59Z",
    "2016-10-31T23:59:59.Z",
    "2016-10-31T23:59:59.1234567890Z",
    "2016-10-31T23:59:59,5Z",
    "2016-10-31T23:59:59 Z",
    " 2016-10-31T23:59:59Z",
    "2016-10-31T23:59:59Z ",
    "2016-10-31T23:59:59Z\n",
    "2016-10-31T23:59:59+1",
    "2016-10-31T23:59:59+1:00",
    "2016-10-31T23:59:59+01:0",
    "2016-10-31T23:59:59+01:60",
    "2016-10-31T23:59:59+24:00",
    "2016-10-31T23:59:59+01:00:00",
    "2016-10-31T23:59:59UTC",
    "2016-10-31T23:59:59[UTC]",
    "2016-10-31T23:59:59+01:00[Europe/Paris]",
    "20161031T235959Z",
    "2016-305T23:59:59Z",
    "2016-1-1T00:00:00Z",
    "٢٠١٦-10-31T23:59:59Z",
    "1477958399",
    "0001-01-01T00:00:00+00:01",
    "9999-12-31T23:59:59-00:01",
]


@pytest.mark.parametrize(("text", "instant"), MOMENTS.items())
def test_a_timestamp_is_kept_to_the_microsecond_in_utc(text: str, instant: str) -> None:
    micros = parse_instant(text)
    assert micros is not None
    assert format_instant(micros) == instant
    for field in ("start_time", "end_time", "urls_expire_time"):
        judgement = of_camera(last_event={field: text})
        assert only_row(judgement)["last_event"][field] == micros
    assert only_row(of_camera(last_is_online_change=text))["last_is_online_change"] == micros


def test_instants_count_from_1970() -> None:
    moment = datetime(2026, 11, 20, 10, 20, tzinfo=UTC)
    assert moment.timestamp() * 1_000_000 == SENT
    assert parse_instant("1970-01-01T00:00:00.000001Z") == 1
    assert parse_instant("1969-12-31T23:59:59.999999Z") == -1


@pytest.mark.parametrize("value", [*NO_MOMENTS, 1477958399, 1.5, True, [], {}], ids=repr)
def test_any_other_spelling_is_a_wrong_type(value: Any) -> None:
    judgement = of_camera(last_is_online_change=value, last_event={"start_time": value})
    row = only_row(judgement)
    assert row["last_is_online_change"] is None
    assert row["last_event"]["start_time"] is None
    wrong = "d1: last_event.start_time, d1: last_is_online_change"
    assert judgement.reasons == {"field": wrong}
    assert judgement.sightings == []


LISTS = [
    ([], (), ""),
    ([None], (None,), ""),
    ([{}], ((None, None),), ""),
    ([{"name": "Porch", "id": "1"}], (("Porch", "1"),), ""),
    ([{"name": "Porch", "id": 1}], (("Porch", "1"),), ""),
    ([{"id": True, "name": {"a": 1}}], (('{"a":1}', "true"),), ""),
    ([{"name": None, "other": []}], ((None, None),), ""),
    (["x", {"id": "1"}], (None, (None, "1")), "activity_zones[0]"),
    ([{"id": "1"}, []], ((None, "1"), None), "activity_zones[1]"),
    ([5], (None,), "activity_zones[0]"),
    ([False], (None,), "activity_zones[0]"),
    ([{"id": ["1"], "name": "x"}], (("x", None),), "activity_zones[0].id"),
    ([None, {"name": []}], (None, (None, None)), "activity_zones[1].name"),
    ("x", None, "activity_zones"),
    (5, None, "activity_zones"),
    (False, None, "activity_zones"),
    ({}, None, "activity_zones"),
    ({"0": {"id": "1"}}, None, "activity_zones"),
]


@pytest.mark.parametrize(("zones", "kept", "wrong"), LISTS, ids=repr)
def test_a_wrong_type_in_a_list_costs_the_smallest_thing(zones: Any, kept: Any, wrong: str) -> None:
    judgement = of_camera(activity_zones=zones, name="x")
    assert only_row(judgement)["activity_zones"] == kept
    assert only_row(judgement)["name"] == "x"
    assert judgement.reasons == ({"field": f"d1: {wrong}"} if wrong else {})


EVENTS = [
    ({}, {}, []),
    ({"has_sound": True, "has_motion": False}, {"has_sound": True, "has_motion": False}, []),
    ({"has_person": "true"}, {}, ["has_person"]),
    ({"has_person": 1}, {}, ["has_person"]),
    ({"web_url": "https://a/b?c"}, {"web_url": "https://a/b"}, []),
    ({"web_url": 5}, {"web_url": "5"}, []),
    ({"web_url": []}, {}, ["web_url"]),
    ({"activity_zone_ids": []}, {"activity_zone_ids": ()}, []),
    ({"activity_zone_ids": ["1", None]}, {"activity_zone_ids": ("1", None)}, []),
    ({"activity_zone_ids": [1, True, {}]}, {"activity_zone_ids": ("1", "true", "{}")}, []),
    (
        {"activity_zone_ids": ["1", []]},
        {"activity_zone_ids": ("1", None)},
        ["activity_zone_ids[1]"],
    ),
    ({"activity_zone_ids": "1"}, {}, ["activity_zone_ids"]),
    ({"activity_zone_ids": {}}, {}, ["activity_zone_ids"]),
    ({"activity_zone_ids": 1, "has_motion": 2}, {}, ["activity_zone_ids", "has_motion"]),
]


@pytest.mark.parametrize(("event", "kept", "wrong"), EVENTS, ids=repr)
def test_a_wrong_type_in_the_event_costs_that_field(
    event: Any, kept: Any, wrong: list[str]
) -> None:
    judgement = of_camera(last_event=event)
    assert only_row(judgement)["last_event"] == {**dict.fromkeys(LAST_EVENT.fields), **kept}
    detail = ", ".join(f"d1: last_event.{path}" for path in wrong)
    assert judgement.reasons == ({"field": detail} if wrong else {})


@pytest.mark.parametrize("event", [5, "x", "", True, [], [{}]], ids=repr)
def test_an_event_that_is_no_object_is_null(event: Any) -> None:
    judgement = of_camera(last_event=event)
    assert only_row(judgement)["last_event"] is None
    assert judgement.reasons == {"field": "d1: last_event"}


def test_a_row_has_the_timestamp_of_its_record() -> None:
    assert only_row(of_camera())["timestamp"] == SENT


def test_a_lone_surrogate_becomes_a_question_mark() -> None:
    cameras = r'{"\ud800":null,"b":{"device_id":"d1","name":"\udc00\ud83d\ude00\ud83d"}}'
    text = '{"devices":{"cameras":' + cameras + "}}"
    judgement = judged(text)
    assert only_row(judgement)["name"] == "?😀?"
    assert judgement.reasons == {"camera": "?"}


@pytest.mark.parametrize(
    ("event", "sighting"),
    [
        ({"has_person": True, "start_time": "2026-11-20T10:00:00Z"}, True),
        ({"has_person": True, "start_time": "2026-11-20T11:00:00.000+01:00"}, True),
        ({"has_person": False, "start_time": "2026-11-20T10:00:00Z"}, False),
        ({"has_person": None, "start_time": "2026-11-20T10:00:00Z"}, False),
        ({"has_person": "true", "start_time": "2026-11-20T10:00:00Z"}, False),
        ({"start_time": "2026-11-20T10:00:00Z"}, False),
        ({"has_person": True}, False),
        ({"has_person": True, "start_time": "today"}, False),
    ],
    ids=repr,
)
def test_a_sighting_is_an_event_with_a_person_and_a_start(event: Any, sighting: bool) -> None:
    expected = [("d1", parse_instant("2026-11-20T10:00:00Z"))] if sighting else []
    assert of_camera(last_event=event).sightings == expected


@pytest.mark.parametrize("has_person", [True, False, None, 5])
def test_any_event_further_ahead_than_the_clock_skew_is_from_the_future(has_person: Any) -> None:
    def with_start(start: str) -> Judgement:
        return of_camera(last_event={"has_person": has_person, "start_time": start})

    at_limit, beyond = with_start("2026-11-20T10:25:00Z"), with_start("2026-11-20T10:25:00.000001Z")
    assert "future" not in at_limit.reasons
    assert as_detail(beyond, "future") == "d1"
    assert len(beyond.rows) == 1


def test_details_are_sorted_and_the_reasons_stand_side_by_side() -> None:
    ahead = {"start_time": "2026-11-20T11:00:00Z"}
    judgement = of_cameras(
        {
            "z": None,
            "k2": {"device_id": "d2", "last_event": {**ahead, "has_motion": 1}, "is_online": 1},
            "k1": {"device_id": "d1", "last_event": ahead, "where_id": []},
            "a": {},
        }
    )
    assert judgement.reasons == {
        "camera": "a, z",
        "field": "d1: where_id, d2: is_online, d2: last_event.has_motion",
        "future": "d1, d2",
    }
    assert judgement.reasons != {**judgement.reasons, "future": "d2, d1"}


def test_the_decoder_says_why() -> None:
    for value, why in [
        (None, "no value"),
        (b"\xff", "not UTF-8"),
        (b"{}{}", "not JSON: Extra data"),
        (b'{"x":NaN}', "NaN"),
        (b"[]", "not an object"),
        (b"[" * 1000, "deeper than 512"),
    ]:
        with pytest.raises(MalformedError, match=why):
            decode(value)


def test_values_are_shown_short_and_without_credentials() -> None:
    assert show("https://a/b?auth=c.12345 x") == "https://a/b?*** x"
    assert show("x" * 200) == "x" * 79 + "…"
    assert show(None) == "null"
    assert show(("a\nb", 1)) == r"('a\nb', 1)"
