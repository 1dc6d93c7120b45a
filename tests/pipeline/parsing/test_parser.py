"""The fast way of clean records and the exact way of the judge give the same rows."""

from datetime import UTC, datetime, timedelta
from typing import Any

import orjson
import pyarrow as pa
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from contract.redaction import redact_text
from pipeline.parsing.parser import Parser
from pipeline.parsing.rules import judge
from pipeline.schema import arrow_struct, camera_schema, sighting_schema

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
ARCHIVE = Parser(camera_schema(), timedelta(minutes=5))
CAMERA = arrow_struct(camera_schema())


def batch(values: list[bytes | None]) -> pa.RecordBatch:
    count = len(values)
    return pa.record_batch(
        {
            "value": pa.array(values, pa.binary()),
            "partition": pa.array([3] * count, pa.int32()),
            "offset": pa.array(range(count), pa.int64()),
            "timestamp": pa.array([NOON] * count, pa.timestamp("us", "UTC")),
        }
    )


def parse(parser: Parser, *values: bytes | None) -> list[dict[str, Any]]:
    return [row for out in parser(iter([batch(list(values))])) for row in out.to_pylist()]


def message(**camera: Any) -> bytes:
    return orjson.dumps({"devices": {"cameras": {"k": {"device_id": "a", **camera}}}})


def test_a_camera_row_has_its_fields_and_its_position() -> None:
    event = {
        "has_person": True,
        "start_time": "2026-11-20T11:59:58.250Z",
        "web_url": "https://h/x?auth=1",
    }
    (row,) = parse(ARCHIVE, message(is_online=True, last_event=event, activity_zones=[{"id": "7"}]))
    assert row["device_id"] == "a"
    assert row["is_online"] is True
    assert row["activity_zones"] == [{"name": None, "id": "7"}]
    assert row["last_event"]["start_time"] == datetime(2026, 11, 20, 11, 59, 58, 250_000, UTC)
    assert row["last_event"]["web_url"] == "https://h/x"
    assert (row["partition"], row["offset"], row["timestamp"]) == (3, 0, NOON)
    assert row["reason"] is None


def test_no_credential_gets_into_a_row() -> None:
    urls = {
        name: "https://user:secret@h/x?auth=secret#secret"
        for name in CAMERA.names
        if name.endswith("_url")
    }
    (row,) = parse(ARCHIVE, message(**urls, last_event={"image_url": "h/x?secret"}))
    assert {row[name] for name in urls} == {"https://h/x"}
    assert "secret" not in repr(row)


@pytest.mark.parametrize("camera", ["null", "1"])
def test_a_detail_can_be_stored_and_shows_no_credential(camera: str) -> None:
    """What names a camera may be any text that JSON can spell."""
    keys = r'"\ud800": CAMERA, "https://u:SECRET@h/x?auth=SECRET": CAMERA'.replace("CAMERA", camera)
    value = b'{"devices":{"cameras":{%s}}}' % keys.encode()
    (row,) = parse(ARCHIVE, value)
    assert row["detail"]
    assert "SECRET" not in row["detail"] + row["raw"]


def test_one_bad_record_does_not_change_its_neighbours() -> None:
    rows = parse(
        ARCHIVE, message(name="first"), b"{", message(name=[1]), None, message(name="last")
    )
    assert [(r["offset"], r["name"]) for r in rows if r["reason"] is None] == [
        (0, "first"),
        (2, None),
        (4, "last"),
    ]
    assert [(r["offset"], r["reason"], r["raw"]) for r in rows if r["reason"]] == [
        (1, "malformed", "{"),
        (2, "field", '{"devices":{"cameras":{"k":{"device_id":"a","name":[1]}}}}'),
        (3, "malformed", None),
    ]


def test_an_event_from_the_future_is_archived_and_quarantined() -> None:
    def at(seconds: float) -> bytes:
        start = NOON + timedelta(seconds=seconds)
        return message(last_event={"start_time": start.isoformat().replace("+00:00", "Z")})

    rows = parse(ARCHIVE, at(300), at(300.000001))
    assert [(r["offset"], r["device_id"]) for r in rows if r["reason"] is None] == [
        (0, "a"),
        (1, "a"),
    ]
    assert [(r["offset"], r["reason"], r["detail"]) for r in rows if r["reason"]] == [
        (1, "future", "a")
    ]


def test_counting_says_nothing_of_bad_input() -> None:
    rows = parse(Parser(sighting_schema()), b"{", message(name=[1]), message(device_id=""))
    assert [(row["offset"], row["device_id"]) for row in rows] == [(1, "a")]


def test_more_records_than_a_slice_keep_their_order_and_positions() -> None:
    values = [message(name=str(n)) if n % 100 else b"{" for n in range(1000)]
    rows = [row for row in parse(ARCHIVE, *values) if row["reason"] is None]
    assert [(row["offset"], row["name"]) for row in rows] == [
        (n, str(n)) for n in range(1000) if n % 100
    ]


def test_what_arrow_would_take_for_something_else_is_a_wrong_type() -> None:
    rows = parse(
        ARCHIVE,
        message(last_event=""),
        message(last_event=[]),
        message(activity_zones=[""]),
        message(activity_zones=[[]]),
        message(last_event={"activity_zone_ids": "ab"}),
    )
    assert [row["detail"] for row in rows if row["reason"]] == [
        "a: last_event",
        "a: last_event",
        "a: activity_zones[0]",
        "a: activity_zones[0]",
        "a: last_event.activity_zone_ids",
    ]


def test_the_first_and_the_last_year_are_kept() -> None:
    times = ["0001-01-01T00:00:00Z", "0999-12-31T23:59:59.5Z", "9999-12-31T23:59:59.999999999Z"]
    rows = parse(ARCHIVE, *(message(last_is_online_change=text) for text in times))
    assert [row["last_is_online_change"].isoformat() for row in rows if row["reason"] is None] == [
        "0001-01-01T00:00:00+00:00",
        "0999-12-31T23:59:59.500000+00:00",
        "9999-12-31T23:59:59.999999+00:00",
    ]


anything = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3)
    ),
    max_leaves=4,
)
timestamps = st.sampled_from(
    [
        "2026-11-20T12:00:00Z",
        "2026-11-20T12:00:00.123Z",
        "2026-11-20T12:00:00",
        "2026-13-20T12:00:00Z",
        "2026-11-20 12:00:00Z",
        "0999-01-01T00:00:00Z",
        "2026-11-20T12:00:00.1234567Z",
    ]
)
events = st.fixed_dictionaries(
    {},
    optional={
        "has_person": st.booleans() | anything,
        "start_time": timestamps | anything,
        "web_url": st.sampled_from(["https://u:p@h/a?b#c", "h/@x", "?", "u@h"]) | anything,
        "activity_zone_ids": st.lists(st.text(max_size=3), max_size=2) | anything,
    },
)
cameras = st.fixed_dictionaries(
    {},
    optional={
        "device_id": st.sampled_from(["a", "b"]) | anything,
        "name": st.text(max_size=5) | anything,
        "is_online": st.booleans() | anything,
        "activity_zones": st.lists(st.fixed_dictionaries({"id": st.text(max_size=3)}), max_size=2)
        | anything,
        "last_is_online_change": timestamps | anything,
        "last_event": events | anything,
    },
)
documents = st.fixed_dictionaries(
    {
        "devices": st.fixed_dictionaries(
            {"cameras": st.dictionaries(st.text(max_size=3), cameras | anything, max_size=3)}
        )
        | anything
    }
)


@st.composite
def damaged(draw: st.DrawFn) -> bytes:
    """A document of which some bytes were cut out and others put in their place."""
    document = draw(documents.map(orjson.dumps))
    start = draw(st.integers(0, len(document)))
    end = draw(st.integers(start, min(start + 3, len(document))))
    signs = [
        b"{",
        b"}",
        b"[",
        b",",
        b'"',
        b"\\",
        b"\\ud800",
        b"\xff",
        b"1e999",
        b"-",
        b"0",
        b"\0",
        b" ",
    ]
    return document[:start] + draw(st.sampled_from(signs) | st.binary(max_size=2)) + document[end:]


@given(st.lists(documents.map(orjson.dumps) | damaged() | st.binary(max_size=20), max_size=6))
@example([b'{"devices":{"cameras":{"?":{}}}}'])
def test_the_fast_way_agrees_with_the_judge_on_any_records(values: list[bytes]) -> None:
    rows = parse(ARCHIVE, *values)
    alone = [row for n, value in enumerate(values) for row in with_offset(parse(ARCHIVE, value), n)]
    assert sorted(rows, key=repr) == sorted(alone, key=repr)
    for offset, value in enumerate(values):
        judged = judge(value, CAMERA)
        mine = [row for row in rows if row["offset"] == offset]
        assert [row["device_id"] for row in mine if row["reason"] is None] == [
            camera["device_id"] for camera in judged.cameras
        ]
        reasons = {row["reason"]: row["detail"] for row in mine if row["reason"]}
        reasons.pop("future", None)
        assert reasons == {why: redact_text(detail) for why, detail in judged.reasons.items()}


def with_offset(rows: list[dict[str, Any]], offset: int) -> list[dict[str, Any]]:
    return [{**row, "offset": offset} for row in rows]
