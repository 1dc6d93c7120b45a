"""Drills that send records nobody should send; each is counted, archived or quarantined by rule."""

import json
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from contract.instants import format_instant, from_epoch_ms
from demo.drills.drill import Drill
from demo.drills.running_demo import RunningDemo

_MINUTE = 60_000
_HOUR = 60 * _MINUTE
_BY_RULE = "bad input never stops a query and never vanishes"
_GOES_ON = "Nothing has to heal: the queries go on."


def _now() -> int:
    return time.time_ns() // 1_000_000


def _camera(device_id: str, start: int, **fields: Any) -> dict[str, Any]:
    """Return a camera that saw a person at ``start`` (ms)."""
    event = {"has_person": True, "start_time": format_instant(from_epoch_ms(start))}
    return {"device_id": device_id, "is_online": True, "last_event": event, **fields}


def _document(*cameras: dict[str, Any]) -> bytes:
    by_key = {f"{number}": camera for number, camera in enumerate(cameras)}
    return json.dumps({"devices": {"cameras": by_key}}, separators=(",", ":")).encode()


def _seen(demo: RunningDemo, age: int) -> bytes:
    """Return a document in which a known camera saw a person ``age`` ms ago."""
    return _document(_camera(demo.known_device(), _now() - age))


def _duplicates(demo: RunningDemo) -> Iterator[str]:
    value = _seen(demo, 2_000)
    yield f"Sent the same sighting {demo.send([value] * 1_000):,} times: it counts once."


def _late(demo: RunningDemo) -> Iterator[str]:
    late = demo.settings.lateness.total_seconds() * 1_000
    values = [_seen(demo, int(late) + each * _MINUTE) for each in range(1, 200)]
    yield f"Sent {demo.send(values)} sightings that are too late: archived, and not counted."


def _ahead(demo: RunningDemo) -> Iterator[str]:
    skew = demo.settings.clock_skew.total_seconds() * 1_000
    values = [_seen(demo, -int(skew) - each * _HOUR) for each in range(1, 200)]
    yield f"Sent {demo.send(values)} sightings of a clock that is ahead: quarantined as future."


def _behind(demo: RunningDemo) -> Iterator[str]:
    stamp = _now() - 30 * 24 * _HOUR
    values = [_seen(demo, each * _MINUTE) for each in range(200)]
    sent = demo.send(values, timestamp=stamp)
    yield f"Sent {sent} records stamped a month ago: their events lie in the future of the stamp."


_POISON: tuple[bytes | None, ...] = (
    None,
    b"",
    b"null",
    b"[]",
    b"{",
    b"\xff\xfe\x00",
    b'{"devices":',
    b'{"devices": 1}',
    b'{"devices": {"cameras": []}}',
    b'{"devices": {"cameras": {"a": 1}}}',
    b'{"devices": {"cameras": {"a": null}}}',
    b'{"devices": {"cameras": {"a": {"device_id": ""}}}}',
    b'{"devices": {"cameras": {"a": {"device_id": "drill", "is_online": "perhaps"}}}}',
    b'{"devices": {"cameras": {}}} {"devices": {}}',
    b"[" * 5_000,
    b'{"a": "\\ud800"}',
    b'{"n": 1e999}',
)


def _poison(demo: RunningDemo) -> Iterator[str]:
    sent = demo.send(_POISON * 20)
    yield f"Sent {sent} records that are broken in {len(_POISON)} ways: see the page Lake."


def _megabyte(demo: RunningDemo) -> Iterator[str]:
    device, text = demo.known_device(), "x" * 900_000
    values = [_document(_camera(device, _now() - each, name=text)) for each in range(10)]
    yield f"Sent {demo.send(values)} documents of {len(values[0]) / 1e6:.1f} MB each."
    yield f"Sent {demo.send([text.encode()] * 10)} values of 0.9 MB that are no JSON."


def _ten_thousand_cameras(demo: RunningDemo) -> Iterator[str]:
    start = format_instant(from_epoch_ms(_now()), "seconds")
    event = {"has_person": True, "start_time": start}
    cameras = [{"device_id": f"d{each}", "last_event": event} for each in range(10_000)]
    document = _document(*cameras)
    demo.send([document])
    yield f"Sent one document with {len(cameras):,} cameras, {len(document) / 1e6:.2f} MB."


def _changed_fields(demo: RunningDemo) -> Iterator[str]:
    device = demo.known_device()
    cameras = (
        _camera(device, _now(), battery_level=0.7, firmware={"major": 9}),
        _camera(device, _now() - 1, is_online=1, name=["a", "list"]),
        _camera(device, _now() - 2, last_event="this was an object"),
    )
    sent = demo.send([_document(camera) for camera in cameras] * 50)
    yield f"Sent {sent} documents with fields that are new, or of another type than before."


def _unknown_devices(demo: RunningDemo) -> Iterator[str]:
    values = [_document(_camera(f"nobody-{each}", _now() - each)) for each in range(300)]
    yield f"Sent {demo.send(values)} sightings of cameras that no table of places knows."


def _drill(
    name: str,
    does: str,
    watch_for: str,
    disturb: Callable[[RunningDemo], Iterator[str]],
    shows: str,
) -> Drill:
    return Drill(
        name=name, does=does, watch_for=watch_for, heals=_GOES_ON, shows=shows, disturb=disturb
    )


_sent_by_rule = partial(_drill, shows=_BY_RULE)

DRILLS = (
    _drill(
        "duplicates",
        "send the same sighting a thousand times",
        "the count of one zip code and hour grows by one at most",
        disturb=_duplicates,
        shows="a sighting is counted once, however often it is sent",
    ),
    _sent_by_rule(
        "too-late",
        "send sightings longer after they began than NEST_LATENESS allows",
        "on Proof, under Notes, they appear as too late",
        disturb=_late,
    ),
    _sent_by_rule(
        "clock-ahead",
        "send sightings of a camera whose clock is hours ahead",
        "on Lake the reason future grows",
        disturb=_ahead,
    ),
    _sent_by_rule(
        "clock-behind",
        "send records that are stamped a month ago",
        "on Lake the reason future grows; the watermark stays where it is",
        disturb=_behind,
    ),
    _sent_by_rule(
        "poison",
        "send records that are broken in every way we know",
        "on Lake the reasons malformed, camera and field grow",
        disturb=_poison,
    ),
    _sent_by_rule(
        "megabyte",
        "send values of nearly a megabyte, the broker's limit",
        "the pipeline's memory stays where it is",
        disturb=_megabyte,
    ),
    _sent_by_rule(
        "ten-thousand-cameras",
        "send one home with ten thousand cameras, as many as fit into a record",
        "under zip code unknown the count of this hour jumps",
        disturb=_ten_thousand_cameras,
    ),
    _sent_by_rule(
        "changed-fields",
        "send documents with new fields and fields of another type",
        "on Lake the reason field grows; new fields are no error",
        disturb=_changed_fields,
    ),
    _sent_by_rule(
        "unknown-devices",
        "send sightings of cameras without a place",
        "they count under zip code unknown",
        disturb=_unknown_devices,
    ),
)
