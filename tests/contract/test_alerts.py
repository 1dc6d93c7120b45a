"""An alert is read as what it says, or not at all."""

from datetime import UTC, datetime
from typing import Any

import orjson
import pytest

from contract.alerts import Alert, decode_alert

TEN = datetime(2026, 11, 20, 10, tzinfo=UTC)
ALERT: dict[str, Any] = {
    "id": "a:0:7:offline",
    "device_id": "a",
    "alert": "offline",
    "since": "2026-11-20T10:00:00.000Z",
    "reported_at": "2026-11-20T11:00:00+01:00",
    "partition": 0,
    "offset": 7,
    "zip_code": "01002",
    "was_online_for_s": 7200,
}


def test_an_alert_has_its_times_in_utc_and_no_field_of_a_later_version() -> None:
    expected = Alert(
        "a:0:7:offline", "a", "offline", TEN, TEN, 0, 7, "01002", was_online_for_s=7200
    )
    read = decode_alert(orjson.dumps(ALERT | {"mood": "good"}))
    assert read == expected
    assert (read.since.tzinfo, read.reported_at.tzinfo) == (UTC, UTC)


@pytest.mark.parametrize(
    "wrong",
    [
        {"reported_at": "2026-11-20T10:00:00"},
        {"since": "yesterday"},
        {"since": "0001-01-01T00:00:00+14:00"},
        {"alert": "tired"},
        {"id": ["a"]},
        {"device_id": None},
        {"zip_code": 1002},
        {"name": 5},
        {"offset": "7"},
        {"was_silent_for_s": "long"},
    ],
)
def test_what_is_no_alert_is_an_error_that_names_the_field(wrong: dict[str, Any]) -> None:
    (name,) = wrong
    with pytest.raises(ValueError, match=f"not an alert: {name}: "):
        decode_alert(orjson.dumps(ALERT | wrong))


@pytest.mark.parametrize("value", [None, b"", b"{", b"[]", b"{}", b"\xff"])
def test_a_value_that_is_no_object_with_the_fields_is_an_error(value: bytes | None) -> None:
    with pytest.raises(ValueError, match="not an alert: "):
        decode_alert(value)
