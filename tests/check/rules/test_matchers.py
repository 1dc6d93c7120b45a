"""Where several stored texts are right, each of them matches and no other does."""

from typing import Any

import pytest

from check.rules.detail import Detail
from check.rules.entries import Entries
from check.rules.matchers import FreeText, JsonText, Matcher, RawText, matches


def detail(*names: str) -> Detail:
    entries = Entries()
    for name in names:
        entries.add(name)
    return Detail(entries)


TWO_CAMERAS = detail("d2: is_online", "d1: name", "d1: name")


@pytest.mark.parametrize(
    ("expected", "stored"),
    [
        (JsonText(1.5), "1.50"),
        (JsonText(True), " true "),
        (JsonText({"a": True, "b": [], "c": {}}), '{"a":true,"b":[],"c":{}}'),
        (JsonText({"b": [1, None], "a": "é"}), '{"a":"\\u00e9","b":[1.0,null]}'),
        (TWO_CAMERAS, "d1: name, d1: name, d2: is_online"),
        (TWO_CAMERAS, "d1: name, d2: is_online"),
        (detail("a, b", "c"), "a, b, c"),
        (FreeText(), "nested deeper than 512"),
        (FreeText(), "x" * 300),
        (RawText(b'{"access_token":"c.secret"}'), '{"access_token":"***"}'),
        (RawText(b"a\xed\xa0\x80b"), "a\ufffdb"),
        (RawText(b"a\xed\xa0\x80b"), "a\ufffd\ufffd\ufffdb"),
    ],
    ids=repr,
)
def test_every_right_spelling_matches(expected: Matcher, stored: str) -> None:
    assert expected.matches(stored)
    assert matches(expected, stored)


@pytest.mark.parametrize(
    ("expected", "stored"),
    [
        (JsonText(1), "true"),
        (JsonText(True), "1"),
        (JsonText({"a": 1}), '{"a":2}'),
        (JsonText({"a": [1]}), '{"a":[1,1]}'),
        (JsonText(5), "x"),
        (JsonText(5), 5),
        (JsonText(5), None),
        (TWO_CAMERAS, "d2: is_online, d1: name"),
        (TWO_CAMERAS, "d1: name"),
        (TWO_CAMERAS, "d1: name, d2: is_online, "),
        (detail("d1?secret"), "d1?***"),
        (TWO_CAMERAS, None),
        (FreeText(), " "),
        (FreeText(), None),
        (FreeText(), "x" * 301),
        (FreeText(), "access_token=c.secret"),
        (RawText(b'{"access_token":"c.secret"}'), '{"access_token":"c.secret"}'),
        (RawText(b"a\xed\xa0\x80b"), "ab"),
        (RawText(b""), None),
    ],
    ids=repr,
)
def test_nothing_else_matches(expected: Matcher, stored: Any) -> None:
    assert not expected.matches(stored)
    assert not matches(expected, stored)


@pytest.mark.parametrize(
    ("stored", "why"),
    [
        (None, "no text"),
        ('{"access_token":"c.secret"}', "shows a credential"),
        ('{"access_token":"***"} ', "differs from character 20: expected '', found ' '"),
    ],
)
def test_raw_text_says_why_it_does_not_match(stored: str | None, why: str) -> None:
    assert RawText(b'{"access_token":"c.secret"}').explain(stored) == why


def test_rows_match_value_by_value_also_within_lists_and_structs() -> None:
    expected = ("d1", None, (("Porch", JsonText(7)), None))
    assert matches(expected, ("d1", None, (("Porch", "7"), None)))
    assert not matches(expected, ("d1", None, (("Porch", "8"), None)))
    assert not matches(expected, ("d1", None, (("Porch", "7"),)))
    assert not matches(expected, ("d1", None, None))
    assert not matches(expected, ("d1", (), (("Porch", "7"), None)))
