"""Lay cameras out in Arrow columns: strictly typed, real timestamps, URLs without credentials."""

from collections.abc import Sequence
from typing import Any

import msgspec
import pyarrow as pa
import pyarrow.compute as pc

_PLAIN_TIMESTAMP = (
    r"^([1-9]\d{3}|0[1-9]\d\d|00[1-9]\d|000[1-9])-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?Z$"
)
_URL_FRAGMENT = r"(?s)#.*$"
_URL_USER = r"^([^/]*//)?[^/]*@"

Typed = Any
"""An object of the class that :func:`typed` makes, or None."""


class Unusual(Exception):
    """Something that needs the judge to tell right from wrong."""


def typed(wanted: pa.DataType) -> Any:
    """Return the Python type whose values Arrow's type holds, for msgspec to decode into.

    It is as strict as the rules are: a number is no text, a text no boolean. A timestamp is the
    text that it came as. Anything may be null or not be there; unknown fields are skipped.
    """
    kind: Any
    if pa.types.is_struct(wanted):
        fields = [(field.name, typed(field.type), None) for field in wanted]
        kind = msgspec.defstruct("Object", fields, gc=False)
    elif pa.types.is_list(wanted):
        kind = list[typed(wanted.value_type)]  # type: ignore[misc]
    else:
        kind = bool if pa.types.is_boolean(wanted) else str
    return kind | None


def columns(cameras: list[Typed], wanted: pa.StructType) -> pa.StructArray:
    """Return one row per camera.

    Raises Unusual for a timestamp that is not spelled in the usual way (UTC, up to microseconds).
    """
    try:
        return _column(cameras, wanted, "")
    except pa.ArrowException as error:
        raise Unusual(str(error)) from None


def _column(values: Sequence[Typed], wanted: pa.DataType, name: str) -> pa.Array:
    if pa.types.is_struct(wanted):
        nothing = (None,) * wanted.num_fields
        rows = [nothing if each is None else msgspec.structs.astuple(each) for each in values]
        parts = zip(*rows, strict=True) if rows else [()] * wanted.num_fields
        return pa.StructArray.from_arrays(
            [_column(part, f.type, f.name) for part, f in zip(parts, wanted, strict=True)],
            fields=list(wanted),
            mask=pa.array([each is None for each in values], pa.bool_()),
        )
    if pa.types.is_list(wanted) and pa.types.is_struct(wanted.value_type):
        items = [item for each in values if each for item in each]
        lengths = pa.array([None if each is None else len(each) for each in values], pa.int32())
        return _lists(lengths, _column(items, wanted.value_type, name), wanted)
    if pa.types.is_timestamp(wanted):
        return _timestamps(pa.array(values, pa.string()), wanted)
    column = pa.array(values, wanted)
    return _redacted(column) if name.endswith("_url") else column


def _lists(lengths: pa.Array, items: pa.Array, wanted: pa.ListType) -> pa.ListArray:
    ends = pc.cumulative_sum(pc.fill_null(lengths, 0))
    starts = pc.if_else(pc.is_valid(lengths), pc.subtract(ends, lengths), None)
    total = pa.array([len(items)], pa.int32())
    return pa.ListArray.from_arrays(pa.concat_arrays([starts, total]), items, type=wanted)


def _timestamps(texts: pa.StringArray, wanted: pa.TimestampType) -> pa.TimestampArray:
    if pc.all(pc.match_substring_regex(texts, _PLAIN_TIMESTAMP)).as_py() is False:
        raise Unusual
    return pc.cast(texts, wanted)


def _redacted(urls: pa.StringArray) -> pa.StringArray:
    """Cut every URL's query, fragment and user, as contract.redaction does for one."""
    urls = pc.list_element(pc.split_pattern(urls, "?", max_splits=1), 0)
    if _holds(urls, b"#"):
        urls = pc.replace_substring_regex(urls, _URL_FRAGMENT, "")
    if _holds(urls, b"@"):
        urls = pc.replace_substring_regex(urls, _URL_USER, r"\1")
    return urls


def _holds(texts: pa.StringArray, sign: bytes) -> bool:
    """Tell whether a sign is anywhere in the texts; several times as fast as a match of each."""
    data = texts.buffers()[2]
    return data is not None and sign in data.to_pybytes()
