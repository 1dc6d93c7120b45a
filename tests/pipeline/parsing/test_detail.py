"""The detail of a rejection is bounded, whatever a record holds."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import orjson
import pyarrow as pa
import pytest

from pipeline.parsing.parser import CameraParser, RejectionParser
from pipeline.schema import camera_schema

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)


def record(value: bytes, timestamp: datetime | int = NOON) -> pa.RecordBatch:
    """One record; a timestamp that Python does not know is in microseconds since 1970."""
    return pa.record_batch(
        {
            "value": pa.array([value], pa.binary()),
            "partition": pa.array([0], pa.int32()),
            "offset": pa.array([7], pa.int64()),
            "timestamp": pa.array([timestamp], pa.timestamp("us", "UTC")),
        }
    )


def rejections(batch: pa.RecordBatch) -> list[dict[str, object]]:
    parser = RejectionParser(camera_schema(), timedelta(minutes=5))
    return [row for rows in parser(iter([batch])) for row in rows.to_pylist()]


def details(*cameras: dict[str, object]) -> Iterator[object]:
    document = {"devices": {"cameras": {str(n): camera for n, camera in enumerate(cameras)}}}
    return (row["detail"] for row in rejections(record(orjson.dumps(document))))


def test_twenty_entries_are_listed_in_order_and_the_rest_counted() -> None:
    (detail,) = details({"device_id": "a", "activity_zones": [1] * 20_000})
    listed, more = str(detail).rsplit(", ", 1)
    assert listed.split(", ") == sorted(f"a: activity_zones[{n}]" for n in range(20_000))[:20]
    assert more == "and 19980 more"


def test_the_entries_of_all_cameras_are_listed_together() -> None:
    wrong = {"is_online": 1, "where_id": []}
    (detail,) = details({"device_id": "b", **wrong}, {"device_id": "a", **wrong})
    assert detail == "a: is_online, a: where_id, b: is_online, b: where_id"


def test_a_long_device_id_is_cut_wherever_it_is_named() -> None:
    long_id = "d" * 20_000
    event = {"start_time": "2026-11-20T13:00:00Z", "has_person": True}
    found = list(details({"device_id": long_id, "activity_zones": [1] * 50, "last_event": event}))
    assert found[1] == "d" * 100 + "…"
    assert str(found[0]).startswith("d" * 100 + "…: activity_zones[0], ")
    assert all(len(str(detail)) < 6_000 for detail in found)


def named(**cameras: object) -> str:
    """The detail of a document with these cameras, by their map keys."""
    (row,) = rejections(record(orjson.dumps({"devices": {"cameras": cameras}})))
    return str(row["detail"])


@pytest.mark.parametrize(
    ("device_id", "name"),
    [
        ("cam-token", "cam-token"),
        ("cam?1", "cam?1"),
        ("http://x.y/?a=b", "http://x.y/"),
        ("http://user:SECRET@x.y/", "http://x.y/"),
        ({"token": "SECRET", "name": "Door"}, '{"token":"***","name":"Door"}'),
        ({"token": "S" * 90, "name": "b" * 90}, '{"token":"***","name":"' + "b" * 77 + "…"),
    ],
)
def test_a_detail_names_a_camera_as_the_archive_does(device_id: object, name: str) -> None:
    camera = {"device_id": device_id, "is_online": 3}
    assert named(k=camera) == f"{name}: is_online"
    (rows,) = CameraParser(camera_schema())(
        iter([record(orjson.dumps({"devices": {"cameras": {"k": camera}}}))])
    )
    assert rows["device_id"][0].as_py().startswith(name.rstrip("…"))


@pytest.mark.parametrize(
    ("key", "name"),
    [
        ('access_token: "', 'access_token: "'),
        ('access_token: "SECRET" x', 'access_token: "***'),
        ("Who?", "Who?"),
        ("Who? me", "Who? me"),
        ("http://x.y/?auth=SECRET", "http://x.y/?***"),
        ("http://user:SECRET@x.y/", "http://***"),
        ("x?" + "S" * 200, "x?***"),
        ("x" * 99 + "?SECRET", "x" * 99 + "?…"),
        ("http://user:" + "SECRET" * 50 + "@x.y/", "http://***"),
    ],
)
def test_a_key_is_named_up_to_a_credential_and_hides_no_other_key(key: str, name: str) -> None:
    assert named(**{key: None, "zz": None, "zzz": None}) == f"{name}, zz, zzz"


@pytest.mark.parametrize(
    ("key", "detail"),
    [
        ("k" * 5_000, "camera " + "k" * 100 + "… is not an object"),
        ("?k " * 100, "camera ?*** is not an object"),
        ("token: ", "camera token:  *** not an object"),
        ("http://user:SECRET@x.y/", "camera http://*** is not an object"),
    ],
)
def test_the_text_of_a_malformed_record_is_short_and_shows_no_credential(
    key: str, detail: str
) -> None:
    assert named(**{key: 5}) == detail


@pytest.mark.parametrize(
    "timestamp", [-1, -(10**17), 253_402_300_800_000_000, 9_000_000_000_000_000_000]
)
def test_a_record_whose_own_timestamp_cannot_be_used_is_malformed(timestamp: int) -> None:
    batch = record(b'{"devices":{"cameras":{"k":{"device_id":"a"}}}}', timestamp)
    (row,) = rejections(batch)
    assert (row["reason"], row["detail"]) == ("malformed", "record timestamp out of range")
    assert (row["partition"], row["offset"], row["timestamp"]) == (0, 7, None)
    cameras = CameraParser(camera_schema())(iter([batch]))
    assert sum(rows.num_rows for rows in cameras) == 0


@pytest.mark.parametrize("timestamp", [0, 253_402_300_799_999_000])
def test_the_first_and_the_last_usable_timestamps_are_archived(timestamp: int) -> None:
    batch = record(b'{"devices":{"cameras":{"k":{"device_id":"a"}}}}', timestamp)
    assert rejections(batch) == []
    cameras = CameraParser(camera_schema())(iter([batch]))
    assert sum(rows.num_rows for rows in cameras) == 1
