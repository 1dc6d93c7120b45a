"""Where the secrets in a text are: what follows a telling name, and what has a telling shape."""

import re
from typing import NamedTuple

from check.rules.addresses import AddressStart, find_address_starts
from check.rules.decoding import View

# Possessive quantifiers (``++``, ``*+``) never backtrack, so that every text takes linear time.
# In text that is escaped several times a line break is still written out: backslashes and a letter.
_GAP = r"(?:\s|\\++[nrt])*+"
_GAP_OR_PLUS = r"(?:[\s+]|\\++[nrt])*+"  # a form writes a blank as a plus
_LETTERS_BEFORE_QUOTE = r"""(?:[bruBRU]{1,2}(?=\\*+["']))?+"""
_TELLING = (
    r"(?ai:(?:token|secret|passw(?:or)?d|auth(?:orization)?|api[-_]?key|credential|sig(?:nature)?)"
    r"s?(?:[-_]?v?\d++)?+)"
)
_KEY = re.compile(
    rf"""{_TELLING}(?:{_GAP_OR_PLUS}\\*+(["']))?+"""
    rf"(?:{_GAP_OR_PLUS}(?:\[[0-9]*+|[\])}}]))*+{_GAP_OR_PLUS}([:=])[:=]*+>?+"
    rf"""(?:{_GAP_OR_PLUS}(?={_LETTERS_BEFORE_QUOTE}\\*+["']|\\*+[\[{{]))?+"""
    rf"{_GAP}{_LETTERS_BEFORE_QUOTE}\\*+",
)
# Broken JSON: between the quotes of a name and its value stand up to four characters of any kind,
# but no mark of stars in place of a value.
_KEY_AND_STRING = re.compile(
    rf"""{_TELLING}\\*+(["'])(?:\ufffd++|(?![*\\"',{{}}\[\]]).){{0,4}}+\\*+(?=["'])""", re.DOTALL
)
_TOKEN_OF_NEST = re.compile(r"(?<![\w.-])c\.[\w-]{20,}+", re.ASCII)
_SCHEME = re.compile(
    r"(?:(?<![a-zA-Z])|(?<=\\[bfnrt]))(?ai:bearer|basic)(?:[\s+]|\\++[nrt])++"
    rf"|(?ai:authorization){_GAP_OR_PLUS}:[ \t]*+[\w-]++[ \t]++"
)
_QUESTION_MARK = re.compile(r"\?")

_QUOTE = re.compile("[\"']")
_DOUBLE_QUOTE = re.compile('"')
_END_OF_VALUE = re.compile(r"""[\s"',;&}]""")
_END_OF_SCHEME = re.compile(r"""[\s"',]""")
# A quote within a word is part of a password.
_END_OF_USER = re.compile(r"""[\s"/?#]|'(?![^\s"'/?#\\,:;)\]}>&=+])""")
_PORT_AND_PUNCTUATION = re.compile(r"(?::\d{0,5})?[\])}>.,:;!]*", re.ASCII)
_END_OF_PARAMETERS = re.compile(r"""[\s"']""")
_END_OF_FRAGMENT = re.compile(r"""["'\s]""")
_HASH = re.compile("#")
_BRACKETS = re.compile(r"""["'\[\]{}]""")
_ANY_LEVEL = 0xFF


class Span(NamedTuple):
    """Characters of the original from ``start`` to ``end`` must be hidden.

    What follows up to ``latest`` may be hidden too: there the text can be read in several ways.
    """

    start: int
    end: int
    latest: int


def find_secrets(text: str) -> list[Span]:
    """Return the secrets in a text by where they start; none overlaps another."""
    view = View(text)
    found = sorted(_Finder(view).find())
    spans: list[Span] = []
    for start, end, latest in found:
        one, two, three = view.starts[start], view.starts[end], view.starts[latest]
        if spans and one <= spans[-1].end:
            before = spans[-1]
            two, three = max(two, before.end), max(three, before.latest)
            spans[-1] = Span(before.start, two, three)
        else:
            spans.append(Span(one, two, three))
    return spans


class _Finder:
    """Finds the secrets of a view; positions are those of the view."""

    def __init__(self, view: View) -> None:
        self._view = view
        self._known: dict[tuple[re.Pattern[str], int], tuple[int, int]] = {}

    def find(self) -> list[Span]:
        """Return the secrets in no order; they may overlap."""
        spans = [*self._values_by_key(), *self._strings_by_key()]
        text, levels = self._view.text, self._view.levels
        for match in _SCHEME.finditer(text):
            spans.append(self._until(_END_OF_SCHEME, match.end(), levels[match.end() - 1]))
        spans += [Span(*match.span(), match.end()) for match in _TOKEN_OF_NEST.finditer(text)]
        for match in _QUESTION_MARK.finditer(text):
            spans.append(self._until(_END_OF_PARAMETERS, match.end(), levels[match.start()]))
        for address in find_address_starts(text):
            spans += self._of_address(address)
        return spans

    def _of_address(self, address: AddressStart) -> list[Span]:
        """Return the user and the fragment of an address."""
        text, levels = self._view.text, self._view.levels
        start, is_sure = address.start, address.is_sure
        level = levels[address.slash]
        spans = []
        end_of_user = self._first(_END_OF_USER, start, level)
        at = text.rfind("@", start, end_of_user)
        if at >= 0:
            spans.append(Span(start, at if is_sure else start, at + 1))
        elif end_of_user == len(text) and not _is_host(text[start:]):
            spans.append(Span(start, end_of_user if is_sure else start, end_of_user))
        end = self._first(_END_OF_PARAMETERS, start, level)
        fragment = self._first(_HASH, start, _ANY_LEVEL) + 1
        if fragment <= end:
            end = max(end, self._first(_END_OF_FRAGMENT, fragment, levels[fragment - 1]))
            spans.append(Span(fragment, end if is_sure else fragment, end))
        return spans

    def _until(self, ends: re.Pattern[str], start: int, level: int) -> Span:
        end = self._first(ends, start, level)
        return Span(start, end, end)

    def _first(self, ends: re.Pattern[str], start: int, level: int) -> int:
        """Return where the first of some characters is that is escaped no more than a level.

        A quote may be escaped more often for JSON: it may close the string that all this is in.
        The last answer is kept for the next question.
        """
        known_from, known = self._known.get((ends, level), (0, -1))
        if known_from <= start <= known:
            return known
        text, levels = self._view.text, self._view.levels
        found = next(
            (
                position
                for position in map(re.Match.start, ends.finditer(text, start))
                if self._view.is_within(position, level)
                or (text[position] in "\"'" and levels[position] & 0xF <= level & 0xF)
            ),
            len(text),
        )
        self._known[ends, level] = (start, found)
        return found

    def _values_by_key(self) -> list[Span]:
        text, levels = self._view.text, self._view.levels
        spans: list[Span] = []
        position = 0
        while match := _KEY.search(text, position):
            start = match.end()
            first = text[start : start + 1]
            if first and first in "\"'":
                span = self._string(start)
                position = max(span.end, start)
            elif first and first in "[{":
                span = self._structure(start, levels[match.start(1)] if match[1] else 0)
                position = max(span.end, start)
            else:  # it may be the name of another value
                span = self._until(_END_OF_VALUE, start, levels[match.start(2)])
                position = start
            spans.append(span)
        return spans

    def _strings_by_key(self) -> list[Span]:
        """Return the strings after telling names in quotes, with or without a colon between."""
        levels = self._view.levels
        spans: list[Span] = []
        position = 0
        while match := _KEY_AND_STRING.search(self._view.text, position):
            position = match.end()
            if levels[position] == levels[match.start(1)]:
                spans.append(self._string(position))
                position = max(spans[-1].end, position)
        return spans

    def _string(self, quote: int) -> Span:
        """Return what is in quotes; a string without end may have been cut off with that around."""
        start, end = quote + 1, self._end_of_string(quote)
        if end == len(self._view.text) and self._view.text[quote] == "'":
            return Span(start, self._first(_DOUBLE_QUOTE, start, self._view.levels[quote]), end)
        return Span(start, max(start, end), end)

    def _end_of_string(self, quote: int) -> int:
        """Return where the string is closed that is opened by a quote."""
        text, level = self._view.text, self._view.levels[quote]
        for match in _QUOTE.finditer(text, quote + 1):
            if match.group() == text[quote] and self._view.is_within(match.start(), level):
                return match.start()
        return len(text)

    def _structure(self, start: int, level: int) -> Span:
        """Return a list or object, whether closed or cut off by the end of what it is in."""
        text = self._view.text
        closing: list[str] = []
        position = start
        while match := _BRACKETS.search(text, position):
            position = match.end()
            character = match.group()
            if character in "[{":
                closing.append("]" if character == "[" else "}")
            elif character == closing[-1]:
                closing.pop()
                if not closing:
                    return Span(start, position, position)
            elif character in "]}":
                continue
            else:
                end = self._end_of_string(match.start())
                for quote in (match.start(), end):
                    if quote < len(text) and self._is_around(quote, level):
                        return Span(start, quote, len(text))
                position = min(end + 1, len(text))
        return Span(start, len(text), len(text))

    def _is_around(self, quote: int, level: int) -> bool:
        """Tell whether a quote is one of a string around what is at a level."""
        return self._view.levels[quote] != level and self._view.is_within(quote, level)


def _is_host(text: str) -> bool:
    """Tell whether the end of a text is a host with or without a port, and not a user's password.

    An address of IPv6 is in brackets, of which the second one may be cut off.
    """
    numbers = re.match(r"\[[0-9a-fA-F.:]*\]?", text)
    host = numbers[0] if numbers else re.split(r"[:\[]", text, maxsplit=1)[0]
    return _PORT_AND_PUNCTUATION.fullmatch(text[len(host) :]) is not None
