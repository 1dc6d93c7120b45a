"""Dirt: the broken, late and misplaced records that real devices send, in set fractions.

Every such record carries the header ``dirt`` with its kind, and no other. What is injected depends
on the message and the seed only, so that a message that is sent again brings the same dirt.
"""

import heapq
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass, fields
from typing import Any

from orjson import dumps, loads

from contract.message import DIRT_HEADER
from contract.settings import Settings
from producer.record import Headers, OutgoingRecord
from producer.timeline_header import timeline_headers
from producer.world.documents import Message
from producer.world.instants import format_epoch_ms
from producer.world.seeded import stable_id, uniforms, weighted_choice
from producer.world.time_units import MINUTE, SECOND
from producer.world.timeline import Timeline

MAX_HOLD_BACK = 28 * MINUTE
"""The record is then sent with the next message of any home, so less than half an hour late."""


_UNREGISTERED_HOMES = 8
"""How many homes are not in device_locations; each has one camera. They are few, so that each of
them reports often: a camera that is heard of only once soon gives an alert that it is silent."""


@dataclass(frozen=True)
class Dirt:
    """The fraction of messages for each kind of dirt."""

    duplicate: float = 0.0
    """The message is sent twice."""
    late: float = 0.0
    """The message is held back, for at most 28 minutes, and keeps its timestamp."""
    malformed: float = 0.0
    """The message is followed by one that is not a valid document."""
    unplaced: float = 0.0
    """The message is followed by one of a home that nobody has entered in device_locations."""
    future: float = 0.0
    """The message is followed by one of a camera whose clock is ahead."""

    @property
    def is_none(self) -> bool:
        """Return whether nothing is injected."""
        return not any(getattr(self, field.name) for field in fields(self))


DEMO_DIRT = Dirt(duplicate=0.01, late=0.005, malformed=0.001, unplaced=0.002, future=0.001)
"""What ``nest up`` injects unless settings say otherwise: a little of every kind."""


def with_demo_dirt(settings: Settings) -> Settings:
    """Return the settings with the demo's dirt on, a little of each kind that is not set."""
    dirt = {f"dirt_{kind}": fraction for kind, fraction in asdict(DEMO_DIRT).items()}
    unset = {name: value for name, value in dirt.items() if getattr(settings, name) is None}
    return settings.model_copy(update=unset)


def dirt_of(settings: Settings) -> Dirt:
    """Return the dirt of the settings; a kind that is not set is off."""
    return Dirt(**{f.name: getattr(settings, f"dirt_{f.name}") or 0.0 for f in fields(Dirt)})


def with_dirt(
    messages: Iterable[Message], timeline: Timeline, dirt: Dirt
) -> Iterator[OutgoingRecord]:
    """Yield the records of a timeline's messages, and the dirt among them, as they are due.

    Late records that are still held back when the messages end come last.
    """
    headers = timeline_headers(timeline)
    if dirt.is_none:
        yield from (OutgoingRecord(message.timestamp, *message, headers) for message in messages)
        return
    held_back: list[OutgoingRecord] = []
    for message in messages:
        while held_back and held_back[0].send_at <= message.timestamp:
            yield heapq.heappop(held_back)
        draws = uniforms(b"%d %s %d" % (timeline.seed, message.key, message.timestamp))
        if next(draws) < dirt.late:
            send_at = message.timestamp + MINUTE + int((MAX_HOLD_BACK - MINUTE) * next(draws))
            heapq.heappush(held_back, OutgoingRecord(send_at, *message, _headers("late")))
            continue
        yield OutgoingRecord(message.timestamp, *message, headers)
        for kind, inject in _INJECT.items():
            if next(draws) < getattr(dirt, kind):
                moment, (key, value) = message.timestamp, inject(message, next(draws))
                yield OutgoingRecord(moment, moment, key, value, _headers(kind), False)
    while held_back:
        yield heapq.heappop(held_back)


def _headers(kind: str) -> Headers:
    return [(DIRT_HEADER, kind.encode())]


KeyAndValue = tuple[bytes, bytes | None]


def _duplicate(message: Message, draw: float) -> KeyAndValue:
    return message.key, message.value


def _malformed(message: Message, draw: float) -> KeyAndValue:
    return message.key, weighted_choice(_BREAK, _BREAK_SHARES, draw)(message.value)


def _unplaced(message: Message, draw: float) -> KeyAndValue:
    """Let the camera of an unregistered home see a person; the rest is as in the message."""
    number = int(_UNREGISTERED_HOMES * draw)
    home = stable_id(b"unregistered home %d" % number).encode()
    document = loads(message.value.replace(message.key, home))
    devices = document["devices"]
    camera = next(iter(devices["cameras"].values()))
    device_id = stable_id(b"unregistered camera %d" % number)
    camera |= {"device_id": device_id, "is_online": True}
    _add_person_event(camera, message.timestamp - 4 * SECOND)
    devices["cameras"] = {device_id: camera}
    return home, dumps(document)


def _future(message: Message, draw: float) -> KeyAndValue:
    """Let a camera whose clock is ten minutes to two hours ahead see a person."""
    document = loads(message.value)
    camera = next(iter(document["devices"]["cameras"].values()))
    _add_person_event(camera, message.timestamp + 10 * MINUTE + int(110 * MINUTE * draw))
    return message.key, dumps(document)


def _add_person_event(camera: dict[str, Any], moment: int) -> None:
    camera["last_event"] = camera.get("last_event", {}) | {
        "has_sound": False,
        "has_motion": True,
        "has_person": True,
        "start_time": format_epoch_ms(moment),
        "end_time": format_epoch_ms(moment + 3 * SECOND),
    }


_INJECT: dict[str, Callable[[Message, float], KeyAndValue]] = {
    "duplicate": _duplicate,
    "malformed": _malformed,
    "unplaced": _unplaced,
    "future": _future,
}


def _first_camera_is(thing: Any) -> Callable[[bytes], bytes]:
    def break_camera(value: bytes) -> bytes:
        document = loads(value)
        cameras = document["devices"]["cameras"]
        cameras[next(iter(cameras))] = thing
        return dumps(document)

    return break_camera


def _devices_are(thing: Any) -> Callable[[bytes], bytes]:
    return lambda value: dumps(loads(value) | {"devices": thing})


_BREAK: tuple[Callable[[bytes], bytes | None], ...] = (
    lambda value: value[: len(value) // 2],  # cut off
    lambda value: value + value,  # two documents
    lambda value: value + b"}",  # a stray brace
    lambda value: value.replace(b'"name":"', b'"name":"\xff\xfe', 1),  # not UTF-8
    lambda value: value.replace(b'"', b"'"),  # single quotes
    lambda value: value.replace(b'"client_version":1', b'"client_version":NaN', 1),
    lambda value: b"[" + value + b"]",  # a list of documents
    lambda value: b"",
    lambda value: None,  # no value at all
    _first_camera_is("offline"),
    _devices_are([]),
    _devices_are("none"),
)
_BREAK_SHARES = tuple((number + 1) / len(_BREAK) for number in range(len(_BREAK)))
