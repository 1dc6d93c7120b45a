"""When a fault was made on purpose: records beside the queries' progress, for charts to show."""

import json
from dataclasses import dataclass

from pydantic import TypeAdapter

from contract.instants import format_instant
from contract.typed_json import Instant, decode_json

KEY_PREFIX = b"drill "
"""What the keys of these records in ``nest-pipeline-progress`` begin with; queries' do not."""


@dataclass(frozen=True)
class DrillMark:
    """A drill by name, when it began and when the demo was well again; None until then."""

    drill: str
    begun_at: Instant
    ended_at: Instant | None = None

    def encode(self) -> tuple[bytes, bytes]:
        """Return the record's key, the same for begin and end, and its value."""
        begun_at = format_instant(self.begun_at)
        document = {
            "drill": self.drill,
            "begun_at": begun_at,
            "ended_at": self.ended_at and format_instant(self.ended_at),
        }
        return KEY_PREFIX + begun_at.encode(), json.dumps(document).encode()


_MARK = TypeAdapter(DrillMark)


def decode_mark(value: bytes) -> DrillMark:
    """Read a record's value; ValueError if it is none."""
    return decode_json(_MARK, value, "a drill's mark")
