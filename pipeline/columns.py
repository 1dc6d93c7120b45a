"""Lay cameras out in Arrow columns: strictly typed, real timestamps, URLs without credentials."""

from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from pipeline.judge import Camera

_PLAIN_TIMESTAMP = r"^[1-9]\d{3}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?Z$"
_URL_TAIL = r"(?s)[?#].*$"
_URL_USER = r"^([^/]*//)?[^/]*@"


class Unusual(Exception):
    """Something that needs the judge to tell right from wrong."""


class Layout:
    """Turns camera objects, as JSON has them, into columns of one Arrow type."""

    def __init__(self, wanted: pa.StructType) -> None:
        self._wanted = wanted
        self._loose = _timestamps_as_text(wanted)
        self._lists = list(_list_paths(wanted))

    def columns(self, cameras: list[Camera]) -> pa.StructArray:
        """Return one row per camera; raises Unusual if any field has a wrong type.

        A timestamp that is not spelled in the usual way (UTC, up to microseconds) is unusual too.
        """
        if any(self._has_text_for_list(camera) for camera in cameras):
            raise Unusual  # which Arrow would take for a list of letters
        try:
            return _finished(pa.array(cameras, self._loose), self._wanted, "")
        except pa.ArrowException as error:
            raise Unusual(str(error)) from None

    def _has_text_for_list(self, camera: Camera) -> bool:
        for path in self._lists:
            value: Any = camera
            for name in path:
                value = value.get(name) if type(value) is dict else None
            if type(value) is str:
                return True
        return False


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


def _list_paths(wanted: pa.StructType, above: tuple[str, ...] = ()) -> list[tuple[str, ...]]:
    paths = []
    for field in wanted:
        if pa.types.is_list(field.type):
            paths.append((*above, field.name))
        elif pa.types.is_struct(field.type):
            paths += _list_paths(field.type, (*above, field.name))
    return paths
