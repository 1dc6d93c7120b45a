r"""Text from outside as a reader downstream may decode it, with the way back to the original.

A secret is no safer for being written ``\u0022``, ``%3D`` or in UTF-16. The decoded text shows what
such spellings mean, and knows for each of its characters what was written in the original.
"""

import re
from array import array
from collections.abc import Sequence
from dataclasses import dataclass

_PLAIN_TEXT = re.compile(r"[^\\%\0]*+")
_ESCAPE = r"""(?: \\ (?P<escaped>["'/\\])
                | \\ (?:u00|x) (?P<code>[0-7][0-9a-fA-F])
                | % (?P<byte>[0-7][0-9a-fA-F]) )"""
_ESCAPE_AT_START = re.compile(_ESCAPE, re.VERBOSE)
_ESCAPE_AT_END = re.compile(_ESCAPE + r"\Z", re.VERBOSE)
_ENDS_OF_ESCAPES = frozenset("\"'/\\0123456789abcdefABCDEF")
_LONGEST_ESCAPE = 6

Depth = tuple[int, int]
"""How often a character was escaped as in JSON, and how often as in URLs."""

_AS_IT_IS: Depth = (0, 0)
_DEEPEST = 15


@dataclass(frozen=True)
class DecodedText:
    """A text without escapes, percent-encoding and NULs.

    Positions are the same in all fields. ``starts`` and ``ends`` say which part of the original a
    character stands for, ``depths`` how it was escaped there.
    """

    text: str
    starts: Sequence[int]
    ends: Sequence[int]
    depths: Sequence[Depth]

    def is_within(self, position: int, depth: Depth) -> bool:
        """Return whether the character is escaped no more often than ``depth``, in either way.

        Only such a character can end what began at ``depth``: a quote that is escaped once more is
        part of the string.
        """
        return _is_within(self.depths[position], depth)


def decode(text: str) -> DecodedText:
    """Decode JSON escapes, percent-encoding and UTF-16 that was read as UTF-8, at any depth."""
    if _PLAIN_TEXT.fullmatch(text):
        size = len(text)
        return DecodedText(text, range(size), range(1, size + 1), [_AS_IT_IS] * size)
    decoder = _Decoder()
    decoder.read(text)
    return DecodedText("".join(decoder.text), decoder.starts, decoder.ends, decoder.depths)


class _Decoder:
    """Puts character after character to the decoded text, and an escape's meaning in its place.

    The meaning may be the end of an escape that began before, so spellings of spellings are seen
    through, however deep, while each character of the original is read once.
    """

    def __init__(self) -> None:
        self.text: list[str] = []
        self.starts, self.ends = array("I"), array("I")
        self.depths: list[Depth] = []
        self._escape_until = 0
        """Up to this length of the decoded text its end may be the end of an escape."""

    def read(self, original: str) -> None:
        """Decode a text."""
        position = 0
        while position < len(original):
            if len(self.text) >= self._escape_until:
                position = self._copy_plain_text(original, position)
                if escape := _ESCAPE_AT_START.match(original, position):
                    self._put_meaning(escape, position, escape.end(), _AS_IT_IS)
                    position = escape.end()
                    continue
            character = original[position : position + 1].strip("\0")
            if character:
                self._put(character, position, position + 1, _AS_IT_IS)
                while self._decode_end():
                    pass
            position += 1

    def _copy_plain_text(self, original: str, start: int) -> int:
        match = _PLAIN_TEXT.match(original, start)
        end = match.end() if match else start
        self.text.extend(original[start:end])
        self.starts.extend(range(start, end))
        self.ends.extend(range(start + 1, end + 1))
        self.depths.extend([_AS_IT_IS] * (end - start))
        return end

    def _put(self, character: str, start: int, end: int, depth: Depth) -> None:
        if character in "\\%":
            self._escape_until = len(self.text) + _LONGEST_ESCAPE
        self.text.append(character)
        self.starts.append(start)
        self.ends.append(end)
        self.depths.append(depth)

    def _put_meaning(self, escape: re.Match[str], start: int, end: int, depth: Depth) -> None:
        json_depth, percent_depth = depth
        if escape["byte"]:
            percent_depth = min(percent_depth + 1, _DEEPEST)
        else:
            json_depth = min(json_depth + 1, _DEEPEST)
        meaning = escape["escaped"] or chr(int(escape["code"] or escape["byte"], 16))
        if meaning != "\0":
            self._put(meaning, start, end, (json_depth, percent_depth))

    def _decode_end(self) -> bool:
        """Put its meaning in place of the escape that the decoded text ends with, if it does."""
        if not self.text or self.text[-1] not in _ENDS_OF_ESCAPES:
            return False
        escape = _ESCAPE_AT_END.search("".join(self.text[-_LONGEST_ESCAPE:]))
        if not escape:
            return False
        size = escape.end() - escape.start()
        depth = self.depths[-size]
        if escape["escaped"]:
            if not _is_within(depth, self.depths[-1]):
                return False  # the backslash is itself escaped, and so the quote is not (``\\"``)
            depth = self.depths[-1]
        start, end = self.starts[-size], self.ends[-1]
        for field in (self.text, self.starts, self.ends, self.depths):
            del field[-size:]
        self._put_meaning(escape, start, end, depth)
        return True


def _is_within(depth: Depth, limit: Depth) -> bool:
    return depth[0] <= limit[0] and depth[1] <= limit[1]
