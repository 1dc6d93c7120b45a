"""Instants in the years that Python can hold; a table's are of any year within 290,000."""

from datetime import UTC, datetime, timedelta

import pyarrow as pa
import pyarrow.compute as pc

# A day from the ends of the calendar, so that there is a local time in every time zone.
_FIRST = datetime.min.replace(tzinfo=UTC) + timedelta(days=1)
_LAST = datetime.max.replace(tzinfo=UTC) - timedelta(days=1)


def with_python_years(table: pa.Table) -> pa.Table:
    """Return the table with each instant before year 1 or after 9999 moved to that end.

    Instants in structs are moved, too.
    """
    columns = [
        pa.chunked_array([_moved(chunk) for chunk in column.chunks], type=column.type)
        if _has_instants(column.type)
        else column
        for column in table.columns
    ]
    return pa.table(columns, schema=table.schema)


def _has_instants(kind: pa.DataType) -> bool:
    is_struct = pa.types.is_struct(kind)
    return pa.types.is_timestamp(kind) or (is_struct and any(_has_instants(f.type) for f in kind))


def _moved(values: pa.Array) -> pa.Array:
    kind = values.type
    if pa.types.is_struct(kind):
        parts = [_moved(part) for part in values.flatten()]
        return pa.StructArray.from_arrays(parts, fields=list(kind), mask=values.is_null())
    if not pa.types.is_timestamp(kind) or kind.unit == "ns":  # nanoseconds end in year 2262
        return values
    first, last = (
        pa.scalar(end if kind.tz else end.replace(tzinfo=None), kind).cast(pa.int64())
        for end in (_FIRST, _LAST)
    )
    # Arrow compares numbers element by element, and no instants.
    late_enough = pc.max_element_wise(values.cast(pa.int64()), first, skip_nulls=False)
    return pc.min_element_wise(late_enough, last, skip_nulls=False).cast(kind)
