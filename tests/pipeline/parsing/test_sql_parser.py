"""Spark's own functions find the same person events as the Python rules do."""

import json
from datetime import UTC, datetime
from typing import Any

import orjson
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from pyspark.sql import DataFrame, Row, SparkSession

from pipeline.counting import person_events
from pipeline.parsing.parser import CameraParser, parse_records
from pipeline.parsing.sql_parser import parse_person_events
from pipeline.schema import sighting_schema

pytestmark = pytest.mark.spark

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
START = "2026-11-20T11:59:58.250Z"


def event(**fields: Any) -> dict[str, Any]:
    return {"has_person": True, "start_time": START, **fields}


def document(*cameras: Any) -> bytes:
    return orjson.dumps({"devices": {"cameras": {str(n): each for n, each in enumerate(cameras)}}})


def camera(**fields: Any) -> dict[str, Any]:
    return {"device_id": "a", "last_event": event(), **fields}


GOOD = document(camera())
TEXT = GOOD.decode()

SURROGATES = [
    *(r"\ud800", r"x\uDC00", r"\ud800\ud800", r"\ud83d\ude00", r"\ude00\ud83d", r"\ud83dx\ude00"),
    *(r"\\ud800", r"\\\ud800", r"\\\\ud800", r"\"\ud83d", r"\ud83d\ude00\ud83d", r"\n\udc00"),
]
"""Escapes of half a character, alone and in pairs, and escaped backslashes before them."""

WHOLE = [
    *(None, b"", b"  ", b"null", b"[]", b'"{}"', b"{}"),
    *(GOOD, b" \t\r\n" + GOOD + b"\n ", GOOD + b"x", GOOD + b"}", GOOD + GOOD, GOOD + b",1"),
    *(
        GOOD + b"],[" + GOOD,
        GOOD + b",0]",
        b"[" + GOOD + b"]",
        GOOD + b"\x00",
        b"\xef\xbb\xbf" + GOOD,
    ),
    *(TEXT.encode("utf-16"), TEXT.encode("utf-16-le"), GOOD[:-1], GOOD[1:]),
    TEXT.replace('"', "'").encode(),
    *(TEXT.replace("true", word).encode() for word in ("True", "TRUE", "NaN", "01", "1.", "tru")),
    *(TEXT.replace('"a"', text).encode() for text in (r'"\x"', '"\t"', r'"\u0041"')),
    *(TEXT.replace('"a"', f'"{text}"').encode() for text in SURROGATES),
    *(GOOD.replace(b'"a"', text) for text in (b'"\xff"', b'"\xc3\xa9"', b'"\xed\xa0\x80"')),
    TEXT.replace("}}}", "},}}").encode(),
    TEXT.replace('{"devices":', '{"devices":{"cameras":{}},"devices":').encode(),
    TEXT.replace('{"devices":', '{"x":{"y":1,"y":2},"devices":').encode(),
    TEXT.replace('"device_id":', '"device_id":"b","device_id":').encode(),
    b'{"devices":{"cameras":{"k":' + b'{"x":' * 400 + b"1" + b"}" * 400 + b"}}}",
    *(GOOD[:-1] + b',"x":' + b"[" * levels + b"]" * levels + b"}" for levels in (511, 512)),
    *(GOOD[:-1] + b',"x":' + b"1" * digits + b"}" for digits in (1_000, 1_001, 20_000)),
    *(GOOD.replace(b'"a"', b"-" + b"1" * digits) for digits in (18, 19, 20, 37, 38, 39, 1_000)),
]
CAMERAS = [
    *(
        document(camera(), other)
        for other in (None, {}, "x", 5, [], "{}", True, camera(device_id="b"))
    ),
    *(document(camera(device_id=id_)) for id_ in ("", None, 12, -15, True, False, [], ["a"], " ")),
    *(document(camera(device_id=text)) for text in ("12", "1.2.3", "1e", "00.5", "true", "{")),
    *(document(camera(device_id=text)) for text in ("[x]", "Infinity", "00", "1.", " 1.0")),
    *(document(camera(last_event=each)) for each in (None, {}, [], "x", [event()], 5)),
    *(
        document(camera(last_event=event(has_person=each)))
        for each in (False, None, "true", 1, [True])
    ),
    *(
        b'{"devices":%s}' % each
        for each in (b"5", b"null", b"[]", b'{"cameras":5}', b'{"cameras":[]}')
    ),
]
TIMES = [
    *(START, "2026-11-20T11:59:58", "2026-11-20T11:59:58.1Z", "2026-11-20T11:59:58.123456789Z"),
    *("2026-11-20T11:59:58.1234567890Z", "2026-11-20T11:59:58.Z", "2026-11-20 11:59:58Z"),
    *(
        "2026-11-20T11:59Z",
        "2026-11-20",
        "2026-11-20T11:59:58z",
        "2026-11-20t11:59:58Z",
        " " + START,
    ),
    *(START + "\n", START + " ", "", "x", "2026-02-29T00:00:00Z", "2024-02-29T00:00:00Z"),
    *(
        "2026-11-20T24:00:00Z",
        "2026-11-20T11:60:00Z",
        "2026-11-20T11:59:60Z",
        "2026-13-01T00:00:00Z",
    ),
    *("2026-11-20T12:00:00+05:30", "2026-11-20T12:00:00-0800", "2026-11-20T12:00:00+05"),
    *("2026-11-20T12:00:00+23:59", "2026-11-20T12:00:00+24:00", "2026-11-20T12:00:00-23:59"),
    *("2026-11-20T12:00:00+05:60", "2026-11-20T12:00:00+5", "2026-11-20T12:00:00 UTC"),
    *("0000-01-01T00:00:00Z", "0001-01-01T00:00:00Z", "0001-01-01T00:00:00+01:00"),
    *("9999-12-31T23:59:59.999999Z", "9999-12-31T23:59:59-01:00", "+2026-11-20T12:00:00Z"),
    *(
        "1582-10-10T00:00:00Z",
        "1883-11-18T12:00:00Z",
        "٢٠٢٦-11-20T12:00:00Z",
        5,
        None,
        [],
        {},
        True,
    ),
]


def records(spark: SparkSession, values: list[bytes | None]) -> DataFrame:
    rows = [(value, number % 4, number, NOON) for number, value in enumerate(values)]
    return spark.createDataFrame(
        rows, "value BINARY, partition INT, offset BIGINT, timestamp TIMESTAMP"
    )


def found(events: DataFrame) -> list[Row]:
    """Return the rows with the start in microseconds: Python knows only the years 1 to 9999."""
    columns = ("device_id", "unix_micros(start_time) AS start_time", "timestamp")
    return sorted(events.selectExpr(*columns).collect(), key=repr)


def require_same_events(spark: SparkSession, values: list[bytes | None]) -> list[Row]:
    rows = records(spark, values)
    by_rules = rows.transform(parse_records, CameraParser(sighting_schema()))
    expected = found(by_rules.transform(person_events))
    assert found(rows.transform(parse_person_events)) == expected
    return expected


@pytest.mark.parametrize("values", [WHOLE, CAMERAS], ids=["whole records", "cameras"])
def test_an_odd_record_has_the_same_events(spark: SparkSession, values: list[bytes | None]) -> None:
    named = [
        value if value is None else value.replace(b'"a"', b'"a%d"' % number)
        for number, value in enumerate(values)
    ]
    assert require_same_events(spark, named)


def test_a_spelling_of_a_time_is_read_as_the_same_instant(spark: SparkSession) -> None:
    values: list[bytes | None] = [
        json.dumps(
            {
                "devices": {
                    "cameras": {"k": camera(device_id=f"cam{n}", last_event=event(start_time=text))}
                }
            }
        ).encode()
        for n, text in enumerate(TIMES)
    ]
    assert len(require_same_events(spark, values)) > 10


def test_a_record_with_a_timestamp_out_of_range_has_no_events(spark: SparkSession) -> None:
    rows = records(spark, [GOOD]).selectExpr("value", "timestamp_micros(-1) AS timestamp")
    assert rows.transform(parse_person_events).isEmpty()


TWICE = {
    "devices": TEXT.replace('{"devices":', '{"devices":null,"devices":'),
    "devices, then null": TEXT[:-1] + ',"devices":null}',
    "cameras": TEXT.replace('{"cameras":', '{"cameras":{"0":null},"cameras":'),
    "a camera": TEXT.replace('"0":', '"0":null,"1":{"device_id":"b"},"0":'),
    "a camera, escaped": TEXT.replace('"0":', r'"\u0030":null,"0":'),
    "a camera, then null": TEXT.replace("}}}}", '}},"0":null}}'),
    "device_id": TEXT.replace('"device_id":', '"device_id":"first","device_id":'),
    "device_id, then null": TEXT.replace('"device_id":"a"', '"device_id":"a","device_id":null'),
    "last_event": TEXT.replace('"last_event":', '"last_event":1,"last_event":'),
    "has_person": TEXT.replace('"has_person":', '"has_person":false,"has_person":'),
    "start_time": TEXT.replace('"start_time":', '"start_time":"soon","start_time":'),
    "a field that nobody reads": TEXT.replace('"has_person":', '"x":1,"x":2,"has_person":'),
}


@pytest.mark.parametrize("text", TWICE.values(), ids=TWICE)
def test_of_a_name_that_is_there_twice_the_last_one_counts(spark: SparkSession, text: str) -> None:
    assert text != TEXT
    require_same_events(spark, [text.encode()])


def test_of_many_cameras_with_names_that_are_there_twice_the_last_ones_count(
    spark: SparkSession,
) -> None:
    cameras = ",".join(f'"{n % 7}":{json.dumps(camera(device_id=f"cam{n}"))}' for n in range(30))
    text = f'{{"devices":{{"cameras":{{{cameras}}}}}}}'
    found_events = require_same_events(spark, [text.encode()])
    assert {row.device_id for row in found_events} == {f"cam{n}" for n in range(23, 30)}


@pytest.mark.parametrize(
    "text",
    [
        TEXT.replace('"0":', r'"\ud800":null,"\ud801":'),
        TEXT.replace('"0":', f'"{"n" * 50_001}":'),
        TEXT.replace('"has_person":', f'"{"n" * 50_001}":1,"has_person":'),
        TEXT.replace('"0":', '"0":1,"0":'),
    ],
    ids=["names that differ in half a character", "camera", "field", "no object, then a camera"],
)
def test_a_record_that_only_the_rules_can_read_is_left_out(spark: SparkSession, text: str) -> None:
    assert records(spark, [text.encode()]).transform(parse_person_events).isEmpty()


ADDRESSES = [
    *(
        "rtsp://admin:pw@10.0.0.5/live?auth=x",
        "rtsp://h/?ch=1",
        "see https://u@h#t=1 or 'ftp://h?x' ok",
    ),
    *(
        "://a@b@c/d@e?f",
        "a://u@b://v@c",
        "https:/u:pw@h/x?y https:///u:p'w@h/x#y",
        "FILE:/a@b, file:///a@b, C:/a@b, x-file:/a@b",
        "http://h\u00a0?x",
        "http://h\x1f?x#",
        "who?",
        "a@b",
        "{x}",
    ),
]


def test_an_address_in_an_id_shows_no_more_than_in_the_archive(spark: SparkSession) -> None:
    values: list[bytes | None] = [document(camera(device_id=text)) for text in ADDRESSES]
    expected = require_same_events(spark, values)
    assert {row.device_id for row in expected} >= {"rtsp://10.0.0.5/live", "rtsp://h/", "{x}"}
    assert "https:/h/x https:///h/x" in {row.device_id for row in expected}


@pytest.mark.parametrize(
    "device_id",
    [
        *("1.0", "1.50", "-1.5", "12345678901234567.0", "-0", "0"),
        *("1e5", "1E-5", "1e400", "-1e400"),
        *('{"x": 1}', '{"access_token": "c.x"}', '[{"x": "Bearer c.x"}]', '["a"]'),
        *('"{\\"x\\": \\"?a=c.x\\"}"', '"1.0"', '"[1]"'),
    ],
)
def test_an_id_that_the_archive_may_spell_otherwise_is_left_out(
    spark: SparkSession, device_id: str
) -> None:
    cameras = document(camera(), camera(device_id="b")).replace(b'"a"', device_id.encode())
    rows = records(spark, [cameras])
    assert [row.device_id for row in rows.transform(parse_person_events).collect()] == ["b"]


FIELDS = st.one_of(
    st.none(), st.booleans(), st.integers(), st.text(max_size=3), st.just(START), st.just([1])
)
CAMERA = st.one_of(
    FIELDS,
    st.fixed_dictionaries(
        {},
        optional={
            "device_id": FIELDS,
            "last_event": st.one_of(
                FIELDS,
                st.fixed_dictionaries({}, optional={"has_person": FIELDS, "start_time": FIELDS}),
            ),
        },
    ),
    st.builds(camera, device_id=st.text("ab", min_size=1, max_size=2)),
)
DOCUMENT = st.one_of(
    FIELDS,
    st.fixed_dictionaries(
        {
            "devices": st.fixed_dictionaries(
                {"cameras": st.dictionaries(st.text(max_size=2), CAMERA)}
            )
        }
    ),
)


@settings(
    max_examples=3,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.large_base_example],
    phases=[Phase.explicit, Phase.reuse, Phase.generate],
)
@given(st.lists(DOCUMENT.map(json.dumps), min_size=50, max_size=300), st.random_module())
def test_any_document_has_the_same_events(
    spark: SparkSession, documents: list[str], random: object
) -> None:
    require_same_events(spark, [text.encode(errors="replace") for text in documents])
