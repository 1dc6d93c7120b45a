"""A record's value is one JSON object in UTF-8, and whatever is not is refused with its reason."""

from time import process_time

import pytest

from check.rules.document import MAX_DEPTH, MalformedError, deep_recursion, parse_document


@pytest.mark.parametrize(
    ("value", "why"),
    [
        (None, "no value"),
        (b"\xff", "not UTF-8"),
        (b"{}{}", "not JSON: Extra data"),
        (b'{"x":NaN}', "NaN"),
        (b"[]", "not an object"),
        (b"[" * 1000, "deeper than 512"),
    ],
    ids=repr,
)
def test_a_value_that_is_no_document_is_refused_with_the_reason(
    value: bytes | None, why: str
) -> None:
    with pytest.raises(MalformedError, match=why):
        parse_document(value)


def test_a_document_is_returned_with_its_values() -> None:
    value = b'{"a":[1,2.5,true,null,"\\u00e9"]}'
    assert parse_document(value) == {"a": [1, 2.5, True, None, "é"]}


def test_the_deepest_document_is_read_where_its_texts_are_escaped() -> None:
    depth = MAX_DEPTH - 1
    value = '{"x":' + "[" * depth + '"\\u00e9"' + "]" * depth + "}"
    with deep_recursion():
        assert parse_document(value.encode()) is not None


@pytest.mark.parametrize("end", [b"", b"\\", b"\n"])
def test_the_depth_of_a_string_that_never_ends_is_found_in_linear_time(end: bytes) -> None:
    value = b"[" * (MAX_DEPTH + 1) + b'"' + b'\\"' * 500_000 + end
    started = process_time()
    with pytest.raises(MalformedError, match="deeper than 512"):
        parse_document(value)
    assert process_time() - started < 10  # it would be an hour if each quote began a search


def test_a_bracket_in_a_string_without_an_end_does_not_count() -> None:
    with pytest.raises(MalformedError, match="not JSON"):
        parse_document(b'{"x":"' + b"[" * 1000 + b"\\")
