"""The records of ``nest-sightings``: one person event of one camera.

The same sighting comes again whenever its camera reports it again: readers fold the records by
device_id and start_time.
"""

from datetime import datetime
from typing import NamedTuple

import orjson


class Sighting(NamedTuple):
    """A person event; ``start_time`` is aware and in UTC."""

    device_id: str
    zip_code: str
    """``unknown`` where the device has no known location."""
    start_time: datetime


def decode_sighting(value: bytes | None) -> Sighting:
    """Read a record's value; ValueError if it is no sighting."""
    try:
        document = orjson.loads(value or b"")
        sighting = Sighting(
            document["device_id"],
            document["zip_code"],
            datetime.fromisoformat(document["start_time"]),
        )
    except (ValueError, TypeError, KeyError) as error:
        raise ValueError(f"not a sighting: {error}") from None
    if sighting.start_time.tzinfo is None or not isinstance(sighting.device_id, str):
        raise ValueError("not a sighting: no time zone, or no device_id")
    return sighting
