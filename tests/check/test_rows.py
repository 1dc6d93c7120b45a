"""Rows of the lake are read as plain values, whatever their instants are."""

import pyarrow as pa
import pytest

from check.rows import rows_by_position
from check.rules.field_types import parse_timestamp


@pytest.mark.parametrize(
    ("unit", "stored", "instant"),
    [
        ("us", -(2**63), -(2**63)),
        ("us", 2**63 - 1, 2**63 - 1),
        ("ns", 1_999, 1),
        ("ns", -1, -1),
        ("ms", 2**63 - 1, (2**63 - 1) * 1000),
        ("s", -(2**63), -(2**63) * 1_000_000),
    ],
)
def test_an_instant_of_any_unit_is_read_in_microseconds(
    unit: str, stored: int, instant: int
) -> None:
    table = pa.table(
        {
            "partition": [0, 0],
            "offset": [1, 2],
            "timestamp": pa.array([stored, None], pa.timestamp(unit, "UTC")),
        }
    )
    rows = rows_by_position(table, {"timestamp": parse_timestamp})
    assert rows == {(0, 1): [(instant,)], (0, 2): [(None,)]}
