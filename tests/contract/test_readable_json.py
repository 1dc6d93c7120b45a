"""JSON from anybody is written for people, and never becomes much longer than it was."""

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from contract.readable_json import _indented_length, readable_json


def test_json_is_one_line_or_indented() -> None:
    raw = b' {"a": 1, "b": ["\xc3\xa9"]}\n'
    assert readable_json(raw, indent=False) == '{"a":1,"b":["é"]}'
    assert readable_json(raw, indent=True) == '{\n  "a": 1,\n  "b": [\n    "é"\n  ]\n}'


@pytest.mark.parametrize("raw", [b"", b"{", b"\xff", b"NaN", b"[" * 2_000 + b"]" * 2_000])
@pytest.mark.parametrize("indent", [False, True])
def test_what_is_no_json_is_none(raw: bytes, indent: bool) -> None:
    assert readable_json(raw, indent=indent) is None


@pytest.mark.parametrize("depth", [*range(250, 260), 500, 1_000, 1_024, 1_025])
@pytest.mark.parametrize("indent", [False, True])
def test_json_of_any_depth_is_written_as_it_was_or_none(depth: int, indent: bool) -> None:
    raw = b"[" * depth + b"]" * depth
    written = readable_json(raw, indent=indent)
    assert written is None or "".join(written.split()).encode() == raw


def test_json_that_would_become_huge_is_not_indented() -> None:
    deep = b"[" * 250 + b",".join([b"1"] * 50_000) + b"]" * 250
    assert readable_json(deep, indent=True) == deep.decode()
    shallow = b"[" + b",".join([b"1"] * 50_000) + b"]"
    assert "\n  1,\n" in (readable_json(shallow, indent=True) or "")


@given(
    st.recursive(
        st.integers(-9, 9) | st.text(max_size=3),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(max_size=2), inner),
    )
)
def test_the_bound_of_the_indented_length_holds(value: object) -> None:
    indented = orjson.dumps(value, option=orjson.OPT_INDENT_2)
    assert len(indented) <= _indented_length(value, orjson.dumps(value))
