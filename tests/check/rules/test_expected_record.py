"""What a record must have become: the design's rules as a table of odd documents."""

import json
import tracemalloc
from typing import Any

import pytest

from check.rules.columns import ARCHIVE_COLUMNS, CAMERA, LAST_EVENT
from check.rules.document import MAX_DEPTH, deep_recursion
from check.rules.expected_record import ExpectedRecord, expected_record
from check.rules.instants import parse_instant
from check.rules.matchers import matches
from contract.redaction import redact_field, redact_text, redact_url_field
from tests.check.rules.timestamps import OTHER_SPELLINGS, SPELLINGS

SENT = parse_instant("2026-11-20T10:20:00Z") or 0
CLOCK_SKEW = 5 * 60_000_000


def of_value(value: bytes | str | None) -> ExpectedRecord:
    value = value.encode() if isinstance(value, str) else value
    return expected_record(value, SENT, CLOCK_SKEW)


def of_cameras(cameras: Any) -> ExpectedRecord:
    return of_value(json.dumps({"devices": {"cameras": cameras}}))


def of_camera(**fields: Any) -> ExpectedRecord:
    return of_cameras({"a": {"device_id": "d1", **fields}})


def only_row(record: ExpectedRecord) -> dict[str, Any]:
    """The one archive row, by column; last_event is by field where it is not null."""
    (row,) = record.archive_rows
    named = dict(zip(ARCHIVE_COLUMNS, row, strict=True))
    if named["last_event"] is not None:
        named["last_event"] = dict(zip(LAST_EVENT.fields, named["last_event"], strict=True))
    return named


def as_text(value: bytes | str) -> str:
    return value if isinstance(value, str) else value.decode("utf-8", "replace")


def has_reasons(record: ExpectedRecord, details: dict[str, str]) -> bool:
    """Whether the record must be in quarantine for these reasons, with these details."""
    expected = [(reason, detail) for _, reason, detail, _ in record.quarantine_rows]
    return matches(tuple(expected), tuple(details.items()))


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
def test_a_malformed_record_has_that_reason_alone(
    value: bytes | str | None,
) -> None:
    record = of_value(value)
    assert record.archive_rows == []
    assert record.sightings == []
    ((timestamp, reason, detail, raw),) = record.quarantine_rows
    assert (timestamp, reason) == (SENT, "malformed")
    assert matches(detail, "not an object")
    assert matches(raw, None if value is None else as_text(value))


WITHOUT_ROWS = {
    "an empty object": "{}",
    "white space around": " \t\r\n{} \t\r\n",
    "devices null": '{"devices":null}',
    "devices empty": '{"devices":{}}',
    "cameras null": '{"devices":{"cameras":null}}',
    "cameras empty": '{"devices":{"cameras":{}}}',
    "no cameras": '{"devices":{"thermostats":{"t":{"device_id":"t1"}}}}',
    "names differ by case": '{"Devices":5,"devices":{"Cameras":5}}',
    "anything elsewhere": '{"metadata":[],"structures":7,"devices":{"thermostats":"x"}}',
    "nested as deeply as is allowed": '{"x":' + "[" * (MAX_DEPTH - 1) + "]" * (MAX_DEPTH - 1) + "}",
    "brackets in a text": '{"x":"' + "[{" * 1000 + '"}',
    "a quote among brackets in a text": '{"x":"\\"' + "[" * 1000 + '"}',
    "many brackets beside each other": '{"x":[' + ",".join(["[]"] * 1000) + "]}",
    "a huge integer": '{"x":' + "9" * 10_000 + "}",
    "a huge negative integer": '{"x":-' + "9" * 10_000 + "}",
    "a number too large for a float": '{"x":1e400,"y":-1e400,"z":1e-400}',
    "odd but valid numbers": '{"x":[-0,0.0,1E+2,1e-2,-1.5e3]}',
    "lone surrogates": '{"x":"\\ud800","\\udc00":1}',
    "a zero escaped": '{"x":"\\u0000"}',
    "every escape": '{"x":"\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9"}',
    "DEL and a line separator in a text": '{"x":"\x7f\u2028"}',
    "a byte order mark in a text": '{"x":"\ufeff"}',
}


@pytest.mark.parametrize("value", WITHOUT_ROWS.values(), ids=WITHOUT_ROWS.keys())
def test_a_document_without_cameras_is_valid_and_gives_no_rows(value: str) -> None:
    assert of_value(value) == ([], [], [])


@pytest.mark.parametrize(
    "camera",
    [None, {}, {"device_id": None}, {"device_id": ""}, {"device_id": []}, {"device_id": ["d1"]}],
    ids=str,
)
def test_a_camera_without_an_id_is_in_quarantine_and_the_others_are_archived(camera: Any) -> None:
    broken = camera and {
        **camera,
        "is_online": 7,
        "last_event": {"start_time": "2030-01-01T00:00:00Z"},
    }
    record = of_cameras({"key 2": broken, "key 1": camera, "good": {"device_id": "d1"}})
    assert only_row(record)["device_id"] == "d1"
    assert has_reasons(record, {"camera": "key 1, key 2"})


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
    record = of_cameras({"a": {"device_id": device_id, "last_event": event}})
    assert matches(only_row(record)["device_id"], text)
    assert record.sightings == [(text, parse_instant("2026-11-20T10:00:00Z"))]
    assert has_reasons(record, {"field": f"{text}: last_event.end_time"})


def test_a_detail_names_a_numeric_id_as_it_was_written() -> None:
    record = of_value('{"devices":{"cameras":{"a":{"device_id":1.50e2,"is_online":1}}}}')
    assert has_reasons(record, {"field": "1.50e2: is_online"})


def test_numbers_in_an_object_beside_a_credential_stay_as_they_were_written() -> None:
    written = '{"token":"abc","x":[1.50,1E5,-0,{"y":1e400}],"z":{},"n":[]}'
    shown = written.replace("abc", "***")
    value = '{"devices":{"cameras":{"a":{"device_id":ID,"name":ID,"web_url":ID,"is_online":1}}}}'
    record = of_value(value.replace("ID", written))
    row = only_row(record)
    for name in ("device_id", "name", "web_url"):
        assert matches(row[name], shown)
        assert not matches(row[name], shown.replace("1.50", "1.5"))
    assert has_reasons(record, {"field": f"{shown}: is_online"})


def test_a_huge_number_in_a_text_field_keeps_every_digit() -> None:
    digits = "9" * 10_000
    for written in (digits, "-" + digits):
        value = f'{{"devices":{{"cameras":{{"a":{{"device_id":{written},"name":[{written}]}}}}}}}}'
        row = only_row(of_value(value))
        assert matches(row["device_id"], written)
        assert not matches(row["device_id"], written[:-1] + "8")


def test_two_cameras_with_one_id_are_two_rows() -> None:
    record = of_cameras({k: {"device_id": "d1", "name": k, "is_online": 0} for k in "ab"})
    assert [row[5] for row in record.archive_rows] == ["a", "b"]
    # The rules do not say whether an entry of two cameras is stored once or twice.
    assert has_reasons(record, {"field": "d1: is_online"})
    assert has_reasons(record, {"field": "d1: is_online, d1: is_online"})
    assert not has_reasons(record, {"field": "d1: is_online, d2: is_online"})


TEXTS = [
    n for n in CAMERA.fields if n.endswith(("_id", "_name", "_version", "name_long")) or n == "name"
]
URLS = [n for n in CAMERA.fields if n.endswith("_url")]
FLAGS = [n for n in CAMERA.fields if n.startswith("is_")]
TIMES = ["last_is_online_change"]


def test_every_field_has_one_of_these_types() -> None:
    assert {*TEXTS, *URLS, *FLAGS, *TIMES, "activity_zones", "last_event"} == set(CAMERA.fields)
    assert len(CAMERA.fields) == 19
    assert len(LAST_EVENT.fields) == 11


@pytest.mark.parametrize("name", [*TEXTS[1:], *URLS])
def test_a_text_field_keeps_everything_but_arrays(name: str) -> None:
    for value in ("x", "", " x ", "null", "é😀"):
        record = of_camera(**{name: value})
        assert only_row(record)[name] == value
        assert has_reasons(record, {})
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
        record = of_camera(**{name: value})
        assert matches(only_row(record)[name], text), value
        assert has_reasons(record, {})
    for value, other in [(1, "true"), (True, "1"), ({"a": 1}, '{"a":2}'), (5, "x"), (5, None)]:
        assert not matches(only_row(of_camera(**{name: value}))[name], other)
    for value in ([], ["x"], [None]):
        record = of_camera(**{name: value})
        assert only_row(record)[name] is None
        assert has_reasons(record, {"field": f"d1: {name}"})


@pytest.mark.parametrize("name", FLAGS)
def test_a_boolean_field_takes_booleans_only(name: str) -> None:
    for value in (True, False):
        assert only_row(of_camera(**{name: value}))[name] is value
    for value in ("true", "", 0, 1, 1.0, [], [True], {}):
        record = of_camera(**{name: value})
        assert only_row(record)[name] is None
        assert has_reasons(record, {"field": f"d1: {name}"})


@pytest.mark.parametrize("name", [n for n in CAMERA.fields if n != "device_id"])
def test_null_counts_as_absent(name: str) -> None:
    assert of_camera(**{name: None}) == of_camera()
    assert only_row(of_camera(**{name: None}))[name] is None


def test_unknown_fields_are_no_error_and_names_differ_by_case() -> None:
    assert of_camera(colour=[], Name="x", IS_ONLINE=5) == of_camera()


@pytest.mark.parametrize("text", SPELLINGS)
def test_a_timestamp_field_is_kept_as_an_instant(text: str) -> None:
    instant = parse_instant(text)
    assert instant is not None
    for field in ("start_time", "end_time", "urls_expire_time"):
        record = of_camera(last_event={field: text})
        assert only_row(record)["last_event"][field] == instant
    assert only_row(of_camera(last_is_online_change=text))["last_is_online_change"] == instant


@pytest.mark.parametrize("value", [*OTHER_SPELLINGS, 1477958399, 1.5, True, [], {}], ids=repr)
def test_any_other_spelling_of_a_timestamp_is_a_wrong_type(value: Any) -> None:
    record = of_camera(last_is_online_change=value, last_event={"start_time": value})
    row = only_row(record)
    assert row["last_is_online_change"] is None
    assert row["last_event"]["start_time"] is None
    wrong = "d1: last_event.start_time, d1: last_is_online_change"
    assert has_reasons(record, {"field": wrong})
    assert record.sightings == []


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
def test_a_wrong_type_in_a_list_makes_only_itself_null(zones: Any, kept: Any, wrong: str) -> None:
    record = of_camera(activity_zones=zones, name="x")
    assert matches(only_row(record)["activity_zones"], kept)
    assert only_row(record)["name"] == "x"
    assert has_reasons(record, ({"field": f"d1: {wrong}"} if wrong else {}))


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
def test_a_wrong_type_in_the_event_makes_that_field_null(
    event: Any, kept: Any, wrong: list[str]
) -> None:
    record = of_camera(last_event=event)
    expected = {**dict.fromkeys(LAST_EVENT.fields), **kept}
    found = only_row(record)["last_event"]
    assert matches(tuple(found.values()), tuple(expected.values()))
    detail = ", ".join(f"d1: last_event.{path}" for path in wrong)
    assert has_reasons(record, ({"field": detail} if wrong else {}))


@pytest.mark.parametrize("event", [5, "x", "", True, [], [{}]], ids=repr)
def test_an_event_that_is_no_object_is_null(event: Any) -> None:
    record = of_camera(last_event=event)
    assert only_row(record)["last_event"] is None
    assert has_reasons(record, {"field": "d1: last_event"})


def test_a_row_has_the_timestamp_of_its_record() -> None:
    assert only_row(of_camera())["timestamp"] == SENT


def test_a_lone_surrogate_becomes_a_question_mark() -> None:
    cameras = r'{"\ud800":null,"b":{"device_id":"d1","name":"\udc00\ud83d\ude00\ud83d"}}'
    text = '{"devices":{"cameras":' + cameras + "}}"
    record = of_value(text)
    assert only_row(record)["name"] == "?😀?"
    assert has_reasons(record, {"camera": "?"})


def test_names_that_differ_in_a_lone_surrogate_stay_different() -> None:
    record = of_value(
        r'{"devices":{"cameras":{"\ud800":{"device_id":"a"},"\udc00":{"device_id":"b"},'
        r'"\ud801":null,"\udc01":null,"c":{"device_id":"c","name":{"\ud800":1,"\udc00":2}}}}}'
    )
    assert [row[0] for row in record.archive_rows] == ["a", "b", "c"]
    assert matches(record.archive_rows[2][5], '{"?":1,"?":2}')
    assert has_reasons(record, {"camera": "?, ?"})


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
    def with_start(start: str) -> ExpectedRecord:
        return of_camera(last_event={"has_person": has_person, "start_time": start})

    at_limit, beyond = with_start("2026-11-20T10:25:00Z"), with_start("2026-11-20T10:25:00.000001Z")
    assert "future" not in [reason for _, reason, _, _ in at_limit.quarantine_rows]
    _, reason, detail, _ = beyond.quarantine_rows[-1]
    assert reason == "future"
    assert matches(detail, "d1")
    assert len(beyond.archive_rows) == 1


def test_details_are_sorted_and_each_reason_has_its_own_row() -> None:
    ahead = {"start_time": "2026-11-20T11:00:00Z"}
    record = of_cameras(
        {
            "z": None,
            "k2": {"device_id": "d2", "last_event": {**ahead, "has_motion": 1}, "is_online": 1},
            "k1": {"device_id": "d1", "last_event": ahead, "where_id": []},
            "a": {},
        }
    )
    details = {
        "camera": "a, z",
        "field": "d1: where_id, d2: is_online, d2: last_event.has_motion",
        "future": "d1, d2",
    }
    assert has_reasons(record, details)
    assert not has_reasons(record, {**details, "future": "d2, d1"})


TEXTS_WITH_ADDRESSES = {
    "Who is there?": "Who is there?",
    "a # b": "a # b",
    "see https://user:pass@a/b?c=d#e now": "see https://a/b now",
    "https://a/b#c, 'https://d?e' x?": "https://a/b 'https://d' x?",
    "https://a/b": "https://a/b",
    "//user@a?b": "//user@a?b",
}


@pytest.mark.parametrize(("text", "kept"), TEXTS_WITH_ADDRESSES.items())
def test_an_address_in_a_text_field_loses_query_fragment_and_user(text: str, kept: str) -> None:
    row = only_row(of_camera(name=text, activity_zones=[{"name": text}]))
    assert row["name"] == kept
    assert row["activity_zones"] == ((kept, None),)


def test_an_object_in_a_text_field_shows_no_credential() -> None:
    row = only_row(of_camera(name={"a": 1, "token": "c.secret", "url": "https://u:p@a?b"}))
    assert matches(row["name"], '{"a":1,"token":"***","url":"https://a?***"}')
    assert not matches(row["name"], '{"a":2,"token":"***","url":"https://a?***"}')
    assert not matches(row["name"], '{"a":1,"token":"c.secret","url":"https://u:p@a?b"}')


def test_a_detail_lists_twenty_entries_and_counts_the_others() -> None:
    twenty = [f"k{number:02}" for number in range(20)]
    assert has_reasons(of_cameras(dict.fromkeys(twenty)), {"camera": ", ".join(twenty)})
    record = of_cameras(dict.fromkeys([*reversed(twenty), "k5", "k6"]))
    assert has_reasons(record, {"camera": ", ".join(twenty) + ", and 2 more"})
    assert not has_reasons(record, {"camera": ", ".join(twenty) + ", and 1 more"})
    assert not has_reasons(record, {"camera": ", ".join([*twenty, "k5", "k6"])})


def test_entries_of_several_cameras_are_counted_and_sorted_together() -> None:
    cameras = {k: {"device_id": k, "activity_zones": [1] * 15} for k in ("d2", "d1")}
    zones = sorted(f"activity_zones[{number}]" for number in range(15))
    first = [*(f"d1: {zone}" for zone in zones), *(f"d2: {zone}" for zone in zones[:5])]
    assert has_reasons(of_cameras(cameras), {"field": ", ".join(first) + ", and 10 more"})


@pytest.mark.parametrize(
    ("length", "shown"), [(100, "x" * 100), (101, "x" * 100 + "…"), (60_000, "x" * 100 + "…")]
)
def test_a_long_name_in_a_detail_is_cut(length: int, shown: str) -> None:
    name = "x" * length
    ahead = {"start_time": "2026-11-20T11:00:00Z"}
    record = of_cameras({name: {}, "k": {"device_id": name, "where_id": [], "last_event": ahead}})
    assert has_reasons(record, {"camera": shown, "field": f"{shown}: where_id", "future": shown})


@pytest.mark.parametrize(
    ("device_id", "name"),
    [
        ("cam-token", "cam-token"),
        ("cam?1", "cam?1"),
        ("http://x.y/?a=b", "http://x.y/"),
        ("http://user:pass@x.y/", "http://x.y/"),
        ({"token": "c.secret", "name": "Door"}, '{"token":"***","name":"Door"}'),
        ({"token": "s" * 90, "name": "b" * 90}, '{"token":"***","name":"' + "b" * 77 + "…"),
    ],
)
def test_a_detail_names_a_camera_as_the_archive_does(device_id: Any, name: str) -> None:
    ahead = {"start_time": "2026-11-20T11:00:00Z"}
    record = of_cameras({"k": {"device_id": device_id, "is_online": 3, "last_event": ahead}})
    assert has_reasons(record, {"field": f"{name}: is_online", "future": name})
    assert not has_reasons(record, {"field": "***: is_online", "future": "***"})


@pytest.mark.parametrize(
    ("key", "name"),
    [
        ('access_token: "', 'access_token: "'),
        ('access_token: "secret" x', 'access_token: "***'),
        ('access_token: "secret" x', "access_token: ***"),
        ("http://x.y/?auth=secret", "http://x.y/?***"),
        ("http://x.y/?auth=secret", "http://x.y/***"),
        ("http://user:secret@x.y/", "http://***"),
        ("a***b?secret", "a***"),
        ("x" * 99 + "?secret", "x" * 99 + "?…"),
    ],
)
def test_a_key_is_named_up_to_a_credential_and_hides_no_other_key(key: str, name: str) -> None:
    record = of_cameras({key: None, "zz": None, "zzz": None})
    assert has_reasons(record, {"camera": f"{name}, zz, zzz"})
    assert not has_reasons(record, {"camera": f"{name}, zz"})
    assert "secret" not in key or not has_reasons(record, {"camera": f"{key}, zz, zzz"})


def test_a_record_of_wrong_values_takes_a_small_multiple_of_its_size() -> None:
    size = 500_000
    value = json.dumps(
        {"devices": {"cameras": {"k": {"device_id": "x" * size, "activity_zones": [1] * size}}}},
        separators=(",", ":"),
    )
    tracemalloc.start()
    try:
        record = of_value(value)
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most < 50 * len(value)
    ((_, _, detail, _),) = record.quarantine_rows
    assert len(repr(detail)) < 20 * 150


def test_raw_text_is_kept_with_every_reason_and_not_for_a_record_without_a_value() -> None:
    value = '{"devices":{"cameras":{"k":null,"a":{"device_id":"d1","is_online":1}}}}'
    raws = [raw for _, _, _, raw in of_value(value).quarantine_rows]
    assert len(raws) == 2
    assert all(matches(raw, value) for raw in raws)
    assert [raw for _, _, _, raw in of_value(None).quarantine_rows] == [None]


OBJECTS = [
    {"token": "c.secret"},
    {"token": None},
    {"a": 1, "u": "https://u:p@h/x?auth=1#2"},
    {"q?x": 1, "b": "c#d", "m@n": 2},
    {"a": [{"password": []}]},
]


@pytest.mark.parametrize("kept_as_text", [False, True])
@pytest.mark.parametrize("value", OBJECTS)
@pytest.mark.parametrize("field", ["name", "web_url"])
def test_an_object_is_the_same_in_a_text_field_and_in_a_url_and_in_the_pipeline(
    field: str, value: dict[str, Any], kept_as_text: bool
) -> None:
    text = json.dumps(value, separators=(",", ":"))
    expected = only_row(of_camera(**{field: text if kept_as_text else value}))
    assert matches(expected[field], redact_text(text))
    assert redact_text(text) == redact_url_field(text) == redact_field(text)
    assert not matches(expected[field], redact_text(text).replace(":", ": ")[:-2])


@pytest.mark.parametrize(
    ("field", "otherwise"), [("name", "{} token=c.s?"), ("web_url", "{} token=c.s")]
)
def test_a_text_that_nests_deeply_before_it_is_no_json_may_be_treated_either_way(
    field: str, otherwise: str
) -> None:
    deep = "[" * 2_000
    with deep_recursion():
        kept = only_row(of_camera(**{field: deep + "{} token=c.s?"}))[field]
    assert matches(kept, deep + "{} token=***")
    assert matches(kept, deep + otherwise)
    assert not matches(kept, deep + "{}")
    shallow = only_row(of_camera(name="[" * 200 + "{} token=c.s"))["name"]
    assert shallow == "[" * 200 + "{} token=c.s"
    broken_first = only_row(of_camera(name="[ x" + deep + "{} token=c.s"))["name"]
    assert broken_first == "[ x" + deep + "{} token=c.s"
