"""Find secrets in decoded text: by the name before them, and by what they look like.

The text may come from anybody, so finding takes time that grows with the text's length and no
faster: a search goes on where the one before it ended, and the patterns give nothing back once they
have taken it (``*+``).
"""

import re
from collections.abc import Iterator

from contract.decoded_text import DecodedText, Depth

Span = tuple[int, int]
"""Where something starts and ends in the decoded text."""

_BLANKS = r"(?:\s|\\++[nrt])*+"
_BLANKS_OF_FORMS = r"(?:[\s+]|\\++[nrt])*+"
_PREFIX = r"""(?: [bBrRuU]{1,2} (?=\\*+["']) )?+"""
_WORDS = r"""(?ai: (?: token | s(?:ecret|ignature|ig) | pass(?:word|wd) | auth(?:orization)?
                       | api[-_]?key | credential ) s? (?:[-_]?v?[0-9]++)?+ )"""
_NAME = re.compile(
    rf"""{_WORDS}
         (?: {_BLANKS_OF_FORMS} \\*+ (?P<quote>["']) )?+
         (?: {_BLANKS_OF_FORMS} (?: \[[0-9]*+ | [\])}}] ) )*+
         {_BLANKS_OF_FORMS} (?P<separator>[:=]) [:=]*+ >?+
         (?: {_BLANKS_OF_FORMS} (?= {_PREFIX} \\*+ ["'] | \\*+ [\[{{] ) )?+
         {_BLANKS} {_PREFIX} (?P<backslashes>\\*+)""",
    re.VERBOSE,
)
_NAME_BEFORE_DAMAGE = re.compile(
    rf"""{_WORDS} \\*+ (?P<quote>["'])
         (?: \ufffd++ | [^"',*\[\]{{}}\\\ufffd] ){{0,4}}+
         (?P<backslashes>\\*+) (?=["'])""",
    re.VERBOSE,
)
"""A quoted name whose colon is missing, or has bytes around it that belong to no JSON."""

_NEST_TOKEN = re.compile(r"(?a:(?<![\w.-])c\.[\w-]{20,}+)")
_SCHEME = re.compile(
    rf"""(?: (?<![a-zA-Z]) | (?<=\\[bfnrt]) ) (?ai: bearer | basic ) (?:[\s+]|\\++[nrt])++
       | (?ai: authorization ) {_BLANKS_OF_FORMS} : [ \t]*+ [\w-]++ [ \t]++""",
    re.VERBOSE,
)
ADDRESS_SLASHES = (
    r"(?:/(?<=[A-Za-z][A-Za-z0-9+.-]:/)(?<!(?<![A-Za-z0-9+.-])[fF][iI][lL][eE]:/)/*+|//(?<=://))"
)
"""The slashes after which an address has its user, for Python and Java.

Browsers and curl take any number of slashes after ``https:``. After ``file:``, or the one letter of
a drive, one or three slashes begin a path.
"""
_ADDRESS = re.compile(rf"{ADDRESS_SLASHES}|//(?<![\w./~-]//)")
_QUESTION_MARK = re.compile(r"\?")

_VALUE_END = re.compile(r"""[\s"',;&}]""")
_SCHEME_END = re.compile(r"""[\s"',]""")
_AUTHORITY_END = re.compile(r"""[\s"/?#]|'(?=[\s"'/?#\\,:;)\]}>&=+]|\Z)""")
"""What ends a host and the user before it; an apostrophe within a word is part of a password."""
_ADDRESS_END = re.compile(r"""[\s"']""")
_HOST = re.compile(r"(?:\[[0-9A-Fa-f:.]*+\]?+|[^:\[]*+)(?::[0-9]{0,5}+)?+[]).,:;!>}]*+")
"""A host, its port, and how a sentence ends after it."""
_QUOTE = {character: re.compile(character) for character in "\"'"}
_BRACKET_OR_QUOTE = re.compile(r"""["'\[\]{}]""")
_OPENING = {"]": "[", "}": "{"}


def find_secrets(view: DecodedText) -> list[Span]:
    """Return where the secrets are, in no order; they may overlap."""
    found = [
        *_named_values(view),
        *_strings_after_damage(view),
        *(match.span() for match in _NEST_TOKEN.finditer(view.text)),
        *_until(view, _SCHEME, _SCHEME_END),
        *_until(view, _QUESTION_MARK, _ADDRESS_END),
        *_users(view),
        *_fragments(view),
    ]
    return [(start, end) for start, end in found if start < end]


def _named_values(view: DecodedText) -> Iterator[Span]:
    """Yield the values whose names say that they are secret.

    A value without quotes may be such a name itself: ``Authorization: access_token: c.1``.
    """
    next_end = _NextEnd(view, _VALUE_END)
    position = 0
    while name := _NAME.search(view.text, position):
        start = name.end()
        first = view.text[start : start + 1]
        if first in _QUOTE:
            start += 1
            end = _end_of_string(view, start - 1)
            end -= _backslashes_of_quote(view, len(name["backslashes"]), start, end)
            position = end
        elif first in _OPENING.values():
            position = end = _end_of_structure(view, start, name.start("quote"))
        else:
            end = next_end(start, name.start("separator"))
            position = start
        yield start, end


def _strings_after_damage(view: DecodedText) -> Iterator[Span]:
    """Yield the strings after names that say that they are secret, where a colon is damaged."""
    position = 0
    while name := _NAME_BEFORE_DAMAGE.search(view.text, position):
        quote = position = name.end()
        if view.depths[quote] == view.depths[name.start("quote")]:
            end = position = _end_of_string(view, quote)
            backslashes = len(name["backslashes"])
            yield quote + 1, end - _backslashes_of_quote(view, backslashes, quote + 1, end)


def _end_of_string(view: DecodedText, quote: int) -> int:
    """Return where the string that begins with ``quote`` ends: the text's end if it was cut off.

    It ends at a quote that is escaped no more often than the first.
    """
    character, depth = view.text[quote], view.depths[quote]
    for match in _QUOTE[character].finditer(view.text, quote + 1):
        if view.is_within(match.start(), depth):
            return match.start()
    if character == "'":  # perhaps cut off by the end of the string around it
        return _next(view, _QUOTE['"'], quote + 1, quote)
    return len(view.text)


def _backslashes_of_quote(view: DecodedText, count: int, start: int, end: int) -> int:
    r"""Return how many backslashes at the end of a string belong to the quote, as at its start.

    They escape nothing. One in another spelling (``\x5c``) is part of the secret.
    """
    if end == len(view.text) or not view.text.endswith("\\" * count, start, end):
        return 0
    are_plain = all(
        view.ends[i] - view.starts[i] == 2 ** view.depths[i][0] for i in range(end - count, end)
    )
    return count if are_plain else 0


def _end_of_structure(view: DecodedText, start: int, name_quote: int) -> int:
    """Return where the list or object that begins at ``start`` ends.

    That is the end of the text if it was cut off. If its name is quoted, it also ends at the end of
    the string around the name.
    """
    depth = view.depths[name_quote] if name_quote >= 0 else None
    open_brackets: list[str] = []
    position = start
    while match := _BRACKET_OR_QUOTE.search(view.text, position):
        character, position = match[0], match.end()
        if character in _QUOTE:
            closing = _end_of_string(view, match.start())
            for quote in (match.start(), closing):
                if depth and _is_outside(view, quote, depth):
                    return quote
            position = closing + 1
        elif character not in _OPENING:
            open_brackets.append(character)
        elif open_brackets[-1] == _OPENING[character]:
            open_brackets.pop()
            if not open_brackets:
                return position
    return len(view.text)


def _is_outside(view: DecodedText, quote: int, depth: Depth) -> bool:
    """Return whether a quote belongs to a string around what is at ``depth``."""
    return quote < len(view.text) and view.depths[quote] != depth and view.is_within(quote, depth)


def _until(view: DecodedText, start: re.Pattern[str], end: re.Pattern[str]) -> Iterator[Span]:
    """Yield what follows each ``start`` up to the next ``end``; one may be within another."""
    next_end = _NextEnd(view, end)
    for match in start.finditer(view.text):
        yield match.end(), next_end(match.end(), match.end() - 1)


def _users(view: DecodedText) -> Iterator[Span]:
    """Yield ``user:password`` of addresses, also of one that the end of the text cuts off."""
    for address in _ADDRESS.finditer(view.text):
        start = address.end()
        end = _next(view, _AUTHORITY_END, start, address.start())
        at = view.text.rfind("@", start, end)
        is_cut_off = at < 0 and end == len(view.text) and not _HOST.fullmatch(view.text, start)
        yield start, end if is_cut_off else at


def _fragments(view: DecodedText) -> Iterator[Span]:
    """Yield what follows the ``#`` of addresses."""
    address_end, fragment_end = _NextEnd(view, _ADDRESS_END), _NextEnd(view, _ADDRESS_END)
    start = 0
    for address in _ADDRESS.finditer(view.text):
        end = address_end(address.end(), address.start())
        if start <= address.end():
            start = view.text.find("#", address.end()) + 1 or len(view.text) + 1
        if start <= end:
            yield start, max(end, fragment_end(start, start - 1))


class _NextEnd:
    """Finds where values end of which each begins after the one before it, reading on only."""

    def __init__(self, view: DecodedText, ends: re.Pattern[str]) -> None:
        self._view = view
        self._ends = ends
        self._known: dict[Depth, int] = {}

    def __call__(self, start: int, opening: int) -> int:
        depth = self._view.depths[opening]
        if self._known.get(depth, -1) < start:
            self._known[depth] = _next(self._view, self._ends, start, opening)
        return self._known[depth]


def _next(view: DecodedText, ends: re.Pattern[str], start: int, opening: int) -> int:
    """Return where the next of ``ends`` is, or the end of the text.

    What is escaped more often than the character at ``opening`` ends nothing: it is part of a
    value. But a quote that is escaped as in JSON may end the string around the value.
    """
    depth = view.depths[opening]
    for match in ends.finditer(view.text, start):
        position = match.start()
        if view.is_within(position, depth):
            return position
        if match[0] in _QUOTE and view.depths[position][1] <= depth[1]:
            return position
    return len(view.text)
