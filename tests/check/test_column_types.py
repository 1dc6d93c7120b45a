"""A column of another type is named, even where its values look the same."""

import pyarrow as pa
import pytest

from check.column_types import names_with_wrong_types
from check.rules.columns import ARCHIVE_COLUMNS
from tests.sample.small_run import CAMERA, LAST_EVENT

ARROW = dict(zip(CAMERA.names, CAMERA.types, strict=True))


def test_columns_of_the_right_types_are_named_as_they_are() -> None:
    assert names_with_wrong_types(CAMERA, ARCHIVE_COLUMNS) == CAMERA.names


@pytest.mark.parametrize(
    ("column", "arrow_type", "shown"),
    [
        ("is_online", pa.int64(), "is_online as int64"),
        ("device_id", pa.int64(), "device_id as int64"),
        ("timestamp", pa.int64(), "timestamp as int64"),
        ("timestamp", pa.timestamp("us"), "timestamp as timestamp[us]"),
        ("activity_zones", pa.list_(pa.string()), "activity_zones as list<item: string>"),
        ("last_event", pa.struct(list(LAST_EVENT)[1:]), "last_event as struct<has_motion"),
    ],
)
def test_a_column_of_another_type_is_named_with_it(
    column: str, arrow_type: pa.DataType, shown: str
) -> None:
    schema = pa.schema({**ARROW, column: arrow_type})
    (other,) = set(names_with_wrong_types(schema, ARCHIVE_COLUMNS)) - set(CAMERA.names)
    assert other.startswith(shown)
