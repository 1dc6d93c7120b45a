"""The records of ``nest-pipeline-progress``: the latest word of each streaming query."""

from dataclasses import asdict, dataclass, field
from typing import Literal

import orjson

State = Literal["running", "restarting", "stopped"]


@dataclass(frozen=True)
class QueryProgress:
    """What a query did in its newest micro-batch; key of the record is ``query``.

    ``end_offsets`` are the offsets, by partition of nest-logs, up to which (not including) every
    record has been taken in and committed. ``timestamp`` and ``watermark`` are ISO 8601, UTC.
    """

    query: str
    state: State
    timestamp: str
    batch_id: int = -1
    input_rows: int = 0
    input_rows_per_second: float = 0.0
    processed_rows_per_second: float = 0.0
    batch_duration_ms: int = 0
    state_rows: int = 0
    rows_dropped_by_watermark: int = 0
    watermark: str | None = None
    offset_lag: int = 0
    end_offsets: dict[int, int] = field(default_factory=dict)
    reason: str | None = None
    """Why the query is restarting or stopped, where an error was the cause."""

    def encode(self) -> tuple[bytes, bytes]:
        """Return the record's key and value."""
        return self.query.encode(), orjson.dumps(asdict(self), option=orjson.OPT_NON_STR_KEYS)


def decode_progress(value: bytes) -> QueryProgress:
    """Read a record's value; ValueError if it is none."""
    try:
        document = orjson.loads(value)
        offsets = {int(number): offset for number, offset in document.pop("end_offsets").items()}
        return QueryProgress(**document, end_offsets=offsets)
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise ValueError(f"not a query's progress: {error}") from None
