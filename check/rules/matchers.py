"""Expected values of which more than one spelling is right, and how stored values match them.

Most expected values are plain: a stored value matches if it is equal. Where several stored texts
are right, the expected value is a ``Matcher``, which decides.
"""

from typing import Any

from check.rules.document import json_text, parse_json
from check.rules.redaction import (
    has_secret,
    raw_text_difference,
    shows_secret,
    text_without_secrets,
)

MAX_FREE_TEXT = 300
"""Characters of a detail in free words."""


class Matcher:
    """An expected value that decides which stored values match it."""

    __slots__ = ()

    def matches(self, stored: object) -> bool:
        """Tell whether a stored value is right."""
        raise NotImplementedError

    def explain(self, stored: object) -> str:
        """Say why a stored value does not match; empty where seeing both says it all."""
        return ""


def matches(expected: Any, stored: Any) -> bool:
    """Tell whether a stored value is as expected; tuples are compared element by element."""
    if isinstance(expected, Matcher):
        return expected.matches(stored)
    if expected == stored:
        return True
    if type(expected) is not tuple or type(stored) is not tuple:
        return False
    return len(expected) == len(stored) and all(map(matches, expected, stored))


def usual_spelling(expected: Any) -> Any:
    """Return an expected value with the text that is stored for it nearly always, if there is one.

    It matches, too.
    """
    if isinstance(expected, JsonText | HiddenText):
        return expected.text()
    return tuple(map(usual_spelling, expected)) if type(expected) is tuple else expected


class JsonText(Matcher):
    """A number, boolean or object in a text field: any spelling of it as JSON matches.

    Credentials in an object are hidden, as they are in raw text.
    """

    __slots__ = ("value", "written")

    def __init__(self, value: object) -> None:
        self.value = value
        self.written = json_text(value)

    def __repr__(self) -> str:
        return repr(self.text())

    def text(self) -> str:
        """Return the JSON text with its credentials hidden."""
        return text_without_secrets(self.written)

    def matches(self, stored: object) -> bool:
        """Tell whether a stored value is JSON text of the same value."""
        if not isinstance(stored, str):
            return False
        if isinstance(self.value, dict) and has_secret(self.written):
            return raw_text_difference(self.written, stored) is None
        if stored == self.written:
            return True
        try:
            return _is_same_json(self.value, parse_json(stored))
        except ValueError:
            return False


class HiddenText(Matcher):
    """A text with credentials in it, which must be hidden as they are in raw text.

    Where it is not clear whether the text is of this kind, what it is ``otherwise`` is right, too.
    """

    __slots__ = ("original", "otherwise")

    def __init__(self, original: str, otherwise: str | None = None) -> None:
        self.original = original
        self.otherwise = otherwise

    def __repr__(self) -> str:
        return repr(self.text())

    def text(self) -> str:
        """Return the text with its credentials hidden."""
        return text_without_secrets(self.original)

    def matches(self, stored: object) -> bool:
        """Tell whether a stored value is the text without its credentials."""
        return isinstance(stored, str) and (
            stored == self.otherwise or raw_text_difference(self.original, stored) is None
        )


class FreeText(Matcher):
    """Any text that is not blank, not too long and shows no credential."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "some text"

    def matches(self, stored: object) -> bool:
        """Tell whether a stored value is such a text."""
        return (
            isinstance(stored, str)
            and bool(stored.strip())
            and len(stored) <= MAX_FREE_TEXT
            and not shows_secret(stored)
        )


class RawText(Matcher):
    """A record's value as text, with its credentials hidden and everything else as it was."""

    __slots__ = ("text",)

    def __init__(self, value: bytes) -> None:
        self.text = value.decode("utf-8", "replace")

    def __repr__(self) -> str:
        return self.text

    def matches(self, stored: object) -> bool:
        """Tell whether a stored value is this text without its credentials."""
        return isinstance(stored, str) and raw_text_difference(self.text, stored) is None

    def explain(self, stored: object) -> str:
        """Say where a stored text begins to differ, or that it shows a credential."""
        if not isinstance(stored, str):
            return "no text"
        return raw_text_difference(self.text, stored) or ""


def _is_same_json(one: Any, other: Any) -> bool:
    """Compare parsed JSON; unlike in Python, true is not 1."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(_is_same_json(one[k], other[k]) for k in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(_is_same_json, one, other))
    return isinstance(one, bool) == isinstance(other, bool) and bool(one == other)
