"""The header by which a producer that starts again knows the timeline of a record.

What a camera sees does not depend on when a world's timeline starts, but what a document contains
does: only what has happened since then. A producer can therefore go on only if it knows the start.
The world's seed is not in the header, as no two worlds have a record key in common.
"""

from collections.abc import Iterable

from orjson import JSONDecodeError, dumps, loads

from contract.message import TIMELINE_HEADER
from producer.record import Headers
from producer.world.timeline import Timeline

YEAR_10_000 = 253_402_300_800_000
"""Milliseconds since 1970; no datetime is as late."""


def timeline_headers(timeline: Timeline) -> Headers:
    """Return the headers of a timeline's records, the same list for all of them.

    The value is JSON: ``start`` and ``live_from`` in milliseconds since 1970 (``live_from`` is null
    for a bounded run) and ``load_factor``.
    """
    fields = {
        "start": timeline.start,
        "live_from": timeline.live_from,
        "load_factor": timeline.load_factor,
    }
    return [(TIMELINE_HEADER, dumps(fields))]


def read_timeline(headers: Iterable[tuple[str, bytes | None]], seed: int) -> Timeline | None:
    """Return the timeline that a record of the world ``seed`` belongs to, as its headers say.

    None if there is no timeline header that can be read.
    """
    for name, value in headers:
        if name == TIMELINE_HEADER:
            return _decode(value or b"", seed)
    return None


def _decode(value: bytes, seed: int) -> Timeline | None:
    try:
        fields = loads(value)
        start, live_from = fields["start"], fields["live_from"]
        load_factor = fields["load_factor"]
    except (JSONDecodeError, KeyError, TypeError):
        return None
    if not _is_instant(start) or not (live_from is None or _is_instant(live_from)):
        return None
    if not isinstance(load_factor, int | float):
        return None
    return Timeline(seed, start, live_from, float(load_factor))


def _is_instant(value: object) -> bool:
    return isinstance(value, int) and 0 <= value < YEAR_10_000
