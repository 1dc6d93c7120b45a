"""Records become camera rows and quarantine rows, the same the fast way and by the rules."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import orjson
import pyarrow as pa
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from contract.redaction import redact_field, redact_url_field
from pipeline.parsing.parser import CameraParser, Parser, RejectionParser
from pipeline.parsing.rules import parse_strictly
from pipeline.schema import arrow_struct, camera_schema, sighting_schema
from tests.pipeline.parsing.documents import record_values

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
CAMERAS = CameraParser(camera_schema())
REJECTIONS = RejectionParser(camera_schema(), clock_skew=timedelta(minutes=5))
CAMERA = arrow_struct(camera_schema())
SAMPLES = Path(__file__).parents[3] / "data" / "samples"


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
    (row,) = parse(CAMERAS, message(is_online=True, last_event=event, activity_zones=[{"id": "7"}]))
    assert row["device_id"] == "a"
    assert row["is_online"] is True
    assert row["activity_zones"] == [{"name": None, "id": "7"}]
    assert row["last_event"]["start_time"] == datetime(2026, 11, 20, 11, 59, 58, 250_000, UTC)
    assert row["last_event"]["web_url"] == "https://h/x"
    assert (row["partition"], row["offset"], row["timestamp"]) == (3, 0, NOON)


def test_a_document_gives_one_row_for_each_of_its_cameras() -> None:
    document = (SAMPLES / "five_cameras.json").read_bytes()
    cameras = list(orjson.loads(document)["devices"]["cameras"].values())
    rows = parse(CAMERAS, document, message())
    assert [row["device_id"] for row in rows] == [*(each["device_id"] for each in cameras), "a"]
    assert [row["offset"] for row in rows] == [0, 0, 0, 0, 0, 1]
    for row, camera in zip(rows, cameras, strict=False):
        assert row["name_long"] == camera["name_long"]
        assert row["activity_zones"] == camera["activity_zones"]


def test_no_credential_gets_into_a_row() -> None:
    urls = {
        name: "https://user:secret@h/x?auth=secret#secret"
        for name in CAMERA.names
        if name.endswith("_url")
    }
    (row,) = parse(CAMERAS, message(**urls, last_event={"image_url": "h/x?secret"}))
    assert {row[name] for name in urls} == {"https://h/x"}
    assert "secret" not in repr(row)
    careless = dict.fromkeys(urls, "https:/user:secret@h/x@2x.png?secret")
    (row,) = parse(CAMERAS, message(**careless, name="https:///user:secret@h/x"))
    assert {row[name] for name in careless} == {"https:/h/x@2x.png"}
    assert row["name"] == "https:///h/x"


parts_of_urls = st.sampled_from([*":/@?#'{ \nab", "://", ":/", "a+:", "https:", "file:", "u:p@"])


@given(st.lists(st.lists(parts_of_urls).map("".join) | st.none(), max_size=3))
def test_urls_together_lose_what_each_of_them_loses(urls: list[str | None]) -> None:
    rows = parse(CAMERAS, *(message(web_url=url) for url in urls))
    kept = [None if url is None else redact_url_field(url) for url in urls]
    assert [row["web_url"] for row in rows] == kept


def test_a_text_field_loses_the_credentials_of_addresses_and_objects() -> None:
    def values(**fields: Any) -> tuple[Any, ...]:
        (row,) = (row for row in parse(CAMERAS, message(**fields)))
        return tuple(row[name] if name in row else row["last_event"][name] for name in fields)

    assert values(name="see https://u:SECRET@h/x?SECRET now?", where_id="Who is there?") == (
        "see https://h/x now?",
        "Who is there?",
    )
    assert values(name={"access_token": ["SECRET"], "at": "https://SECRET@h/x#SECRET"}) == (
        '{"access_token":***,"at":"https://***@h/x#***"}',
    )
    (row,) = parse(
        CAMERAS, message(last_event={"activity_zone_ids": ["1", None, "rtsp://SECRET@h", "2"]})
    )
    assert row["last_event"]["activity_zone_ids"] == ["1", None, "rtsp://h", "2"]
    rows = parse(
        CAMERAS,
        message(last_event={"activity_zone_ids": None}),
        message(activity_zones=[{"name": {"token": "SECRET"}}, None]),
        message(last_event={"activity_zone_ids": ["rtsp://SECRET@h"]}),
    )
    assert [row["last_event"] and row["last_event"]["activity_zone_ids"] for row in rows] == [
        None,
        None,
        ["rtsp://h"],
    ]
    assert rows[1]["activity_zones"] == [{"name": '{"token":"***"}', "id": None}, None]


@pytest.mark.parametrize("camera", ["null", "1"])
def test_a_detail_can_be_stored_and_shows_no_credential(camera: str) -> None:
    """The key of a camera may be any text that JSON can spell."""
    keys = r'"\ud800": CAMERA, "https://u:SECRET@h/x?auth=SECRET": CAMERA'.replace("CAMERA", camera)
    value = b'{"devices":{"cameras":{%s}}}' % keys.encode()
    (row,) = parse(REJECTIONS, value)
    assert row["detail"]
    assert "SECRET" not in row["detail"] + row["raw"]


def test_one_bad_record_does_not_change_its_neighbours() -> None:
    values = [message(name="first"), b"{", message(name=[1]), None, message(name="last")]
    assert [(row["offset"], row["name"]) for row in parse(CAMERAS, *values)] == [
        (0, "first"),
        (2, None),
        (4, "last"),
    ]
    rejections = [(row["offset"], row["reason"], row["raw"]) for row in parse(REJECTIONS, *values)]
    assert rejections == [
        (1, "malformed", "{"),
        (2, "field", '{"devices":{"cameras":{"k":{"device_id":"a","name":[1]}}}}'),
        (3, "malformed", None),
    ]


def test_an_event_from_the_future_is_archived_and_quarantined() -> None:
    def at(seconds: float) -> bytes:
        start = NOON + timedelta(seconds=seconds)
        return message(last_event={"start_time": start.isoformat().replace("+00:00", "Z")})

    values = [at(300), at(300.000001)]
    assert [(row["offset"], row["device_id"]) for row in parse(CAMERAS, *values)] == [
        (0, "a"),
        (1, "a"),
    ]
    rejections = [
        (row["offset"], row["reason"], row["detail"]) for row in parse(REJECTIONS, *values)
    ]
    assert rejections == [(1, "future", "a")]


def test_the_counts_parse_only_their_own_fields() -> None:
    rows = parse(CameraParser(sighting_schema()), b"{", message(name=[1]), message(device_id=""))
    assert rows == [
        {"device_id": "a", "last_event": None, "partition": 3, "offset": 1, "timestamp": NOON}
    ]


def test_many_records_keep_their_order_and_positions() -> None:
    values = [message(name=str(n)) if n % 100 else b"{" for n in range(1000)]
    assert [(row["offset"], row["name"]) for row in parse(CAMERAS, *values)] == [
        (n, str(n)) for n in range(1000) if n % 100
    ]


def test_values_that_arrow_would_convert_are_of_a_wrong_type() -> None:
    rows = parse(
        REJECTIONS,
        message(last_event=""),
        message(last_event=[]),
        message(activity_zones=[""]),
        message(activity_zones=[[]]),
        message(last_event={"activity_zone_ids": "ab"}),
    )
    assert [row["detail"] for row in rows] == [
        "a: last_event",
        "a: last_event",
        "a: activity_zones[0]",
        "a: activity_zones[0]",
        "a: last_event.activity_zone_ids",
    ]


def test_the_first_and_the_last_year_are_kept() -> None:
    times = ["0001-01-01T00:00:00Z", "0999-12-31T23:59:59.5Z", "9999-12-31T23:59:59.999999999Z"]
    rows = parse(CAMERAS, *(message(last_is_online_change=text) for text in times))
    assert [row["last_is_online_change"].isoformat() for row in rows] == [
        "0001-01-01T00:00:00+00:00",
        "0999-12-31T23:59:59.500000+00:00",
        "9999-12-31T23:59:59.999999+00:00",
    ]


@given(st.lists(record_values, max_size=6))
@example([b'{"devices":{"cameras":{"?":{}}}}'])
def test_any_records_together_give_the_rows_that_the_rules_give_for_each(
    values: list[bytes],
) -> None:
    cameras, rejections = parse(CAMERAS, *values), parse(REJECTIONS, *values)
    assert sorted(cameras, key=repr) == sorted(parse_each(CAMERAS, values), key=repr)
    assert sorted(rejections, key=repr) == sorted(parse_each(REJECTIONS, values), key=repr)
    for offset, value in enumerate(values):
        strict = parse_strictly(value, CAMERA)
        assert [row["device_id"] for row in cameras if row["offset"] == offset] == [
            redact_field(camera["device_id"]) for camera in strict.cameras
        ]
        reasons = {row["reason"]: row["detail"] for row in rejections if row["offset"] == offset}
        reasons.pop("future", None)
        assert reasons == strict.reasons


def parse_each(parser: Parser, values: list[bytes]) -> list[dict[str, Any]]:
    """Parse each record in a batch of its own; rows get the offset that they have together."""
    return [
        {**row, "offset": offset}
        for offset, value in enumerate(values)
        for row in parse(parser, value)
    ]
