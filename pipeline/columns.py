"""Lay cameras out in Arrow columns: strictly typed, real timestamps, URLs without credentials."""

from collections.abc import Callable
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from pipeline.judge import Camera

_PLAIN_TIMESTAMP = (
    r"^([1-9]\d{3}|0[1-9]\d\d|00[1-9]\d|000[1-9])-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?Z$"
)
_URL_TAIL = r"(?s)[?#].*$"
_URL_USER = r"^([^/]*//)?[^/]*@"


class Unusual(Exception):
    """Something that needs the judge to tell right from wrong."""


class Layout:
    """Turns camera objects, as JSON has them, into columns of one Arrow type."""

    def __init__(self, wanted: pa.StructType) -> None:
        self._wanted = wanted
        self._loose = _timestamps_as_text(wanted)
        self._is_shaped = _shape_of(wanted)

    def columns(self, cameras: list[Camera]) -> pa.StructArray:
        """Return one row per camera; raises Unusual if any field has a wrong type.

        A timestamp that is not spelled in the usual way (UTC, up to microseconds) is unusual too.
        """
        # Arrow would take a text for a list of letters, and an empty list for a struct.
        if not all(map(self._is_shaped, cameras)):
            raise Unusual
        try:
            return _finished(pa.array(cameras, self._loose), self._wanted, "")
        except pa.ArrowException as error:
            raise Unusual(str(error)) from None


def _finished(column: pa.Array, wanted: pa.DataType, name: str) -> pa.Array:
    """Cast a loosely typed column's timestamps and redact its URLs."""
    if pa.types.is_struct(wanted):
        parts = [
            _finished(part, field.type, field.name)
            for part, field in zip(column.flatten(), wanted, strict=True)
        ]
        return pa.StructArray.from_arrays(parts, fields=list(wanted), mask=column.is_null())
    if pa.types.is_timestamp(wanted):
        if pc.all(pc.match_substring_regex(column, _PLAIN_TIMESTAMP)).as_py() is False:
            raise Unusual
        return pc.cast(column, wanted)
    if name.endswith("_url"):
        return _redacted(column)
    return column


def _redacted(urls: pa.StringArray) -> pa.StringArray:
    """Cut every URL's query, fragment and user, as contract.redaction does for one."""
    urls = pc.replace_substring_regex(urls, _URL_TAIL, "")
    if pc.any(pc.match_substring(urls, "@")).as_py():
        urls = pc.replace_substring_regex(urls, _URL_USER, r"\1")
    return urls


def _timestamps_as_text(wanted: pa.DataType) -> pa.DataType:
    if pa.types.is_struct(wanted):
        return pa.struct([field.with_type(_timestamps_as_text(field.type)) for field in wanted])
    return pa.string() if pa.types.is_timestamp(wanted) else wanted


def _shape_of(wanted: pa.DataType) -> Callable[[Any], bool]:
    """Return a test of whether a value has objects and lists just where the type has them."""
    if pa.types.is_struct(wanted):
        parts = [(f.name, _shape_of(f.type)) for f in wanted if pa.types.is_nested(f.type)]
        return lambda value: (
            value is None
            or (
                type(value) is dict and all(is_shaped(value.get(name)) for name, is_shaped in parts)
            )
        )
    if pa.types.is_list(wanted) and pa.types.is_nested(wanted.value_type):
        is_item = _shape_of(wanted.value_type)
        return lambda value: value is None or (type(value) is list and all(map(is_item, value)))
    return lambda value: value is None or type(value) is list
