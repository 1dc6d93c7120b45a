"""The records of ``nest-sightings``: one person event of one camera.

The same sighting comes again whenever its camera reports it again: readers fold the records by
device_id and start_time.
"""

from dataclasses import dataclass

from pydantic import TypeAdapter

from contract.typed_json import Instant, decode_json


@dataclass(frozen=True)
class Sighting:
    """A person event."""

    device_id: str
    zip_code: str
    """``unknown`` where the device has no known location."""
    start_time: Instant


_SIGHTING = TypeAdapter(Sighting)


def decode_sighting(value: bytes | None) -> Sighting:
    """Read a record's value; ValueError if it is no sighting."""
    return decode_json(_SIGHTING, value, "a sighting")
