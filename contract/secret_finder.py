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
_NAME = re.compile(
    rf"""(?: token | s(?:ecret|ignature|ig) | pass(?:word|wd) | auth(?:orization)?
           | api[-_]?key | credentials? )
         (?: {_BLANKS} \\*+ (?P<quote>["']) )?+ {_BLANKS} (?P<separator>[:=]) {_BLANKS}
         (?P<backslashes>\\*+)""",
    re.VERBOSE,
)
_SCHEME = re.compile(r"b(?:earer|asic)(?:[\s+]|\\++[nrt])++")
_ADDRESS = re.compile(r"//(?:(?<=://)|(?<![\w./~-]//))")
_QUESTION_MARK = re.compile(r"\?")

_VALUE_END = re.compile(r"""[\s"',;&}]""")
_SCHEME_END = re.compile(r"""[\s"',]""")
_AUTHORITY_END = re.compile(r"""[\s"'/?#]""")
_ADDRESS_END = re.compile(r"""[\s"']""")
_QUOTE = {character: re.compile(character) for character in "\"'"}
_BRACKET_OR_QUOTE = re.compile(r"""["'\[\]{}]""")
_OPENING = {"]": "[", "}": "{"}


def find_secrets(view: DecodedText) -> list[Span]:
    """Return where the secrets are, in no order; they may overlap."""
    found = [
        *_named_values(view),
        *_until(view, _SCHEME, _SCHEME_END),
        *_until(view, _QUESTION_MARK, _ADDRESS_END),
        *_users(view),
        *_fragments(view),
    ]
    return [(start, end) for start, end in found if start < end]


def _named_values(view: DecodedText) -> Iterator[Span]:
    """Yield the values whose names say that they are secret."""
    position, may_be_structure = 0, True
    while name := _NAME.search(view.text, position):
        start, end = name.end(), None
        first = view.text[start : start + 1]
        if first in _QUOTE:
            start += 1
            end = _end_of_string(view, start - 1)
        elif first in _OPENING.values() and (name["quote"] or may_be_structure):
            end = _end_of_structure(view, start, name.start("quote"))
            if end is None and name["quote"]:
                end = len(view.text)
            may_be_structure = end is not None  # else each would be searched to the end of the text
        if end is None:
            end = _next(view, _VALUE_END, start, name.start("separator"))
        position = end
        backslashes = name["backslashes"]
        if backslashes and view.text.endswith(backslashes, start, end):
            end -= len(backslashes)  # they escape nothing, so they belong to the closing quote
        yield start, end


def _end_of_string(view: DecodedText, quote: int) -> int:
    """Return where the string that begins with ``quote`` ends: the text's end if it was cut off.

    It ends at a quote that is escaped no more often than the first.
    """
    character, depth = view.text[quote], view.depth(quote)
    for match in _QUOTE[character].finditer(view.text, quote + 1):
        if view.is_within(match.start(), depth):
            return match.start()
    if character == "'":  # perhaps cut off by the end of the string around it
        return _next(view, _QUOTE['"'], quote + 1, quote)
    return len(view.text)


def _end_of_structure(view: DecodedText, start: int, name_quote: int) -> int | None:
    """Return where the list or object that begins at ``start`` ends; None if it was cut off.

    If its name is quoted, it also ends at the end of the string around the name.
    """
    depth = view.depth(name_quote) if name_quote >= 0 else None
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
    return None


def _is_outside(view: DecodedText, quote: int, depth: Depth) -> bool:
    """Return whether a quote belongs to a string around what is at ``depth``."""
    return quote < len(view.text) and view.depth(quote) != depth and view.is_within(quote, depth)


def _until(view: DecodedText, start: re.Pattern[str], end: re.Pattern[str]) -> Iterator[Span]:
    """Yield what follows each ``start`` up to the next ``end``."""
    position = 0
    while match := start.search(view.text, position):
        position = _next(view, end, match.end(), match.end() - 1)
        yield match.end(), position


def _users(view: DecodedText) -> Iterator[Span]:
    """Yield ``user:password`` of addresses."""
    for address in _ADDRESS.finditer(view.text):
        end = _next(view, _AUTHORITY_END, address.end(), address.start())
        yield address.end(), view.text.rfind("@", address.end(), end)


def _fragments(view: DecodedText) -> Iterator[Span]:
    """Yield what follows the ``#`` of addresses."""
    position = 0
    while address := _ADDRESS.search(view.text, position):
        position = _next(view, _ADDRESS_END, address.end(), address.start())
        fragment = view.text.find("#", address.end(), position)
        if fragment >= 0:
            position = _next(view, _ADDRESS_END, fragment + 1, fragment)
            yield fragment + 1, position


def _next(view: DecodedText, ends: re.Pattern[str], start: int, opening: int) -> int:
    """Return where the next of ``ends`` is, or the end of the text.

    What is percent-encoded more often than the character at ``opening`` ends nothing: it is part of
    a value.
    """
    _, most = view.depth(opening)
    for match in ends.finditer(view.text, start):
        if view.depth(match.start())[1] <= most:
            return match.start()
    return len(view.text)
