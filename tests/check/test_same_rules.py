"""The check finds right what the pipeline makes of any record: both have the same rules."""

from datetime import timedelta

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from check.rows import Rows, rows_by_position
from check.rules.columns import ARCHIVE_COLUMNS, QUARANTINE_COLUMNS, Columns
from check.rules.document import deep_recursion
from check.rules.expected_record import expected_record
from check.rules.instants import micros
from check.table_comparison import TableComparison
from pipeline.parsing.parser import CameraParser, Parser, RejectionParser
from pipeline.schema import camera_schema
from tests.pipeline.parsing.documents import record_values

SENT = 1_795_168_800_000_000
CLOCK_SKEW = timedelta(minutes=5)


def rows(parser: Parser, columns: Columns, values: list[bytes]) -> Rows:
    """What the pipeline makes of records of partition 0, as the check reads it from the lake."""
    count = len(values)
    records = pa.record_batch(
        {
            "value": pa.array(values, pa.binary()),
            "partition": pa.array([0] * count, pa.int32()),
            "offset": pa.array(range(count), pa.int64()),
            "timestamp": pa.array([SENT] * count, pa.timestamp("us", "UTC")),
        }
    )
    found: Rows = {}
    for batch in parser(iter([records])):
        found.update(rows_by_position(batch, columns))
    return found


def faults(*values: bytes) -> list[str]:
    """What the check finds wrong in the two tables."""
    archived = rows(CameraParser(camera_schema()), ARCHIVE_COLUMNS, list(values))
    rejections = RejectionParser(camera_schema(), CLOCK_SKEW)
    quarantined = rows(rejections, QUARANTINE_COLUMNS, list(values))
    archive = TableComparison(ARCHIVE_COLUMNS, "device_id")
    quarantine = TableComparison(QUARANTINE_COLUMNS, "reason")
    with deep_recursion():
        for offset, value in enumerate(values):
            expected = expected_record(value, SENT, micros(CLOCK_SKEW))
            for table, wanted, stored in (
                (archive, expected.archive_rows, archived),
                (quarantine, expected.quarantine_rows, quarantined),
            ):
                table.compare_record(
                    (0, offset), wanted, stored.get((0, offset), []), is_committed=True
                )
    return [
        example
        for table in (archive, quarantine)
        for found in (table.missing, table.doubled, table.unexpected, table.differing)
        for example in found.first_cases
    ]


@given(st.lists(record_values, max_size=6))
def test_any_records_become_what_the_check_expects(values: list[bytes]) -> None:
    assert faults(*values) == []


def of_cameras(cameras: str) -> bytes:
    return b'{"devices":{"cameras":{%b}}}' % cameras.encode()


ODD_RECORDS = {
    "a long key": of_cameras(f'"{"k" * 277}":5'),
    "a key that redaction makes longer": of_cameras(f'"{"?k " * 100}":5'),
    "a key that could hide others": of_cameras(r'"access_token: \"":null,"zz":null,"zzz":null'),
    "an address as id": of_cameras('"k":{"device_id":"http://u:p@x.y/?a=b","is_online":3}'),
    "an object as id": of_cameras(
        f'"k":{{"device_id":{{"token":"{"A" * 90}","name":"bbbbbbbbbbb"}},"is_online":3}}'
    ),
    "an id like a name of secrets": of_cameras('"k":{"device_id":"cam-token","is_online":3}'),
    "keys that differ in half a character": of_cameras(
        r'"\ud800":{"device_id":"a"},"\udc00":{"device_id":"b"},"\ud801":null'
    ),
    "numbers beside a credential": of_cameras(
        '"k":{"device_id":{"x":1.50},"is_online":3,"name":{"token":"abc","x":[1.50,1E5,-0]}}'
    ),
    "brackets without an end in a text": of_cameras(
        f'"k":{{"device_id":"a","name":"{"[" * 2_000}{{}} token=abc"}}'
    ),
}


@pytest.mark.parametrize("value", ODD_RECORDS.values(), ids=ODD_RECORDS.keys())
def test_an_odd_record_becomes_what_the_check_expects(value: bytes) -> None:
    assert faults(value) == []
