"""Cameras as Arrow columns: strictly typed, real timestamps, URLs without credentials."""

from collections.abc import Callable, Sequence
from typing import Any

import msgspec
import pyarrow as pa
import pyarrow.compute as pc

from contract.redaction import redact_field, redact_url, redact_url_field

_USUAL_TIMESTAMP = (
    r"^([1-9]\d{3}|0[1-9]\d\d|00[1-9]\d|000[1-9])-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?Z$"
)
_URL_FRAGMENT = r"(?s)#.*$"
_URL_USER = r"^([^/]*//)?[^/]*@"
_UNUSUAL_URL_USER = r"(:/|:///+|/[^/]*:/+)[^/]*@"
"""What may be a user, but not after the first two slashes."""

DecodedObject = Any
"""An object of the class that :func:`decode_type` makes, or None."""


class NeedsStrictParse(Exception):
    """The fast way cannot tell whether a value is right; the rules have to be applied."""


def decode_type(arrow_type: pa.DataType) -> Any:
    """Return the Python type into which msgspec decodes what a column of ``arrow_type`` holds.

    It is as strict as the rules are: a number is no text, and text is no boolean. A timestamp stays
    text. Any value may be null or missing; unknown fields are skipped.
    """
    python_type: Any
    if pa.types.is_struct(arrow_type):
        fields = [(field.name, decode_type(field.type), None) for field in arrow_type]
        python_type = msgspec.defstruct("Object", fields, gc=False)
    elif pa.types.is_list(arrow_type):
        python_type = list[decode_type(arrow_type.value_type)]  # type: ignore[misc]
    else:
        python_type = bool if pa.types.is_boolean(arrow_type) else str
    return python_type | None


def to_arrow(cameras: list[DecodedObject], camera_type: pa.StructType) -> pa.StructArray:
    """Return one row per camera.

    Raises NeedsStrictParse for a timestamp that is not spelled in the usual way (UTC, up to
    microseconds).
    """
    try:
        return _to_array(cameras, camera_type, "")
    except pa.ArrowException as error:
        raise NeedsStrictParse(str(error)) from None


def _to_array(values: Sequence[DecodedObject], wanted: pa.DataType, name: str) -> pa.Array:
    if pa.types.is_struct(wanted):
        nulls = (None,) * wanted.num_fields
        rows = [nulls if each is None else msgspec.structs.astuple(each) for each in values]
        columns = zip(*rows, strict=True) if rows else [()] * wanted.num_fields
        return pa.StructArray.from_arrays(
            [_to_array(column, f.type, f.name) for column, f in zip(columns, wanted, strict=True)],
            fields=list(wanted),
            mask=pa.array([each is None for each in values], pa.bool_()),
        )
    if pa.types.is_list(wanted) and pa.types.is_struct(wanted.value_type):
        items = [item for each in values if each for item in each]
        lengths = pa.array([None if each is None else len(each) for each in values], pa.int32())
        return _to_list_array(lengths, _to_array(items, wanted.value_type, name), wanted)
    if pa.types.is_timestamp(wanted):
        return _to_timestamp_array(pa.array(values, pa.string()), wanted)
    column = pa.array(values, wanted)
    if pa.types.is_list(wanted):
        return _redact_list_of_texts(column)
    if pa.types.is_string(wanted):
        return _redact_urls(column) if name.endswith("_url") else _redact_texts(column)
    return column


def _to_list_array(lengths: pa.Array, items: pa.Array, wanted: pa.ListType) -> pa.ListArray:
    ends = pc.cumulative_sum(pc.fill_null(lengths, 0))
    starts = pc.if_else(pc.is_valid(lengths), pc.subtract(ends, lengths), None)
    total = pa.array([len(items)], pa.int32())
    return pa.ListArray.from_arrays(pa.concat_arrays([starts, total]), items, type=wanted)


def _to_timestamp_array(texts: pa.StringArray, wanted: pa.TimestampType) -> pa.TimestampArray:
    if pc.all(pc.match_substring_regex(texts, _USUAL_TIMESTAMP)).as_py() is False:
        raise NeedsStrictParse("a timestamp in an unusual spelling")
    return pc.cast(texts, wanted)


def _redact_urls(urls: pa.StringArray) -> pa.StringArray:
    """Cut off every URL's query, fragment and user, as contract.redaction does for a single one.

    An object in place of a URL, or a user in an unusual place, which hardly ever come, are redacted
    one by one.
    """
    if b"{" in _characters(urls):
        return _each(redact_url_field, urls)
    urls = pc.list_element(pc.split_pattern(urls, "?", max_splits=1), 0)
    characters = _characters(urls)
    if b"#" in characters:
        urls = pc.replace_substring_regex(urls, _URL_FRAGMENT, "")
    if b"@" in characters:
        if pc.any(pc.match_substring_regex(urls, _UNUSUAL_URL_USER)).as_py():
            return _each(redact_url, urls)
        urls = pc.replace_substring_regex(urls, _URL_USER, r"\1")
    return urls


def _redact_list_of_texts(lists: pa.ListArray) -> pa.ListArray:
    texts = lists.values
    redacted = _redact_texts(texts) if pa.types.is_string(texts.type) else texts
    if redacted is texts:
        return lists
    return pa.ListArray.from_arrays(lists.offsets, redacted, type=lists.type, mask=lists.is_null())


def _redact_texts(texts: pa.StringArray) -> pa.StringArray:
    """Redact texts that hold an address or a JSON object; hardly any does."""
    characters = _characters(texts)
    if b":/" not in characters and b"{" not in characters:
        return texts
    return _each(redact_field, texts)


def _each(redact: Callable[[str], str], texts: pa.StringArray) -> pa.StringArray:
    redacted = [None if text is None else redact(text) for text in texts.to_pylist()]
    return pa.array(redacted, texts.type)


def _characters(texts: pa.StringArray) -> bytes:
    """Return all texts in one: to search this is several times as fast as to match each text."""
    data = texts.buffers()[2]
    return b"" if data is None else data.to_pybytes()
