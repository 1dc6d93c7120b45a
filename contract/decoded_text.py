r"""Text from outside as a reader downstream may decode it, with the way back to the original.

A secret is no safer for being written ``\u0022``, ``%3D`` or in UTF-16. The decoded text shows what
such spellings mean, and knows for each of its characters what was written in the original.
"""

import re
from array import array
from collections.abc import Sequence
from dataclasses import dataclass

_ENCODED = re.compile(
    r"""(?P<backslashes> (?:\\\\)++ )
      | \\(?: u(?P<code>00[0-7][0-9a-f]) | (?P<escaped>["'/]) )
      | %(?P<again>(?:25)*)(?P<byte>[0-7][0-9a-f])
      | \0+""",
    re.VERBOSE,
)

_MAX_PASSES = 24
"""Each pass halves a run of backslashes; this is enough for one of several megabytes."""
_PERCENT_DEPTHS = 8
_ONE_DEEPER = bytes(min(depth + _PERCENT_DEPTHS, 255) for depth in range(256))
"""For ``bytes.translate``: adds one to the JSON depth of every packed depth."""

Depth = tuple[int, int]
"""How often a character was escaped as in JSON, and how often as in URLs."""


@dataclass(frozen=True)
class DecodedText:
    """A text in lower case without escapes, percent-encoding and NULs.

    Positions are the same in all fields. ``starts`` and ``ends`` say which part of the original a
    character stands for.
    """

    text: str
    starts: Sequence[int]
    ends: Sequence[int]
    depths: bytes | bytearray
    """Per character its depth, packed; 0 for one that stands in the original as it is."""

    def depth(self, position: int) -> Depth:
        """Return how often the character at ``position`` was escaped."""
        return divmod(self.depths[position], _PERCENT_DEPTHS)

    def is_within(self, position: int, depth: Depth) -> bool:
        """Return whether the character is escaped no more often than ``depth``, in either way.

        Only such a character can end what began at ``depth``: a quote that is escaped once more is
        part of the string.
        """
        json_depth, percent_depth = self.depth(position)
        return json_depth <= depth[0] and percent_depth <= depth[1]


def decode(text: str) -> DecodedText:
    """Decode JSON escapes, percent-encoding and UTF-16 that was read as UTF-8, at any depth."""
    size = len(text)
    lower = text.replace("İ", "i").lower()  # the one letter that is two in lower case
    decoded = DecodedText(lower, range(size), range(1, size + 1), bytes(size))
    for _ in range(_MAX_PASSES):
        simpler = _decode_once(decoded)
        if simpler is None:
            break
        decoded = simpler
    return decoded


def _decode_once(view: DecodedText) -> DecodedText | None:
    """Return the text with one level less of escapes; None if there are none."""
    pieces: list[str] = []
    starts, ends, depths = array("I"), array("I"), bytearray()
    copied = 0
    for match in _ENCODED.finditer(view.text):
        start, end = match.span()
        if _is_real_quote(view, match):
            continue
        pieces.append(view.text[copied:start])
        starts.extend(view.starts[copied:start])
        ends.extend(view.ends[copied:start])
        depths += view.depths[copied:start]
        copied = end
        if match["backslashes"]:
            pieces.append(view.text[start:end:2])
            starts.extend(view.starts[start:end:2])
            ends.extend(view.ends[start + 1 : end : 2])
            depths += view.depths[start:end:2].translate(_ONE_DEEPER)
        elif view.text[start] != "\0":
            character, depth = _decode_character(view, match)
            pieces.append(character)
            starts.append(view.starts[start])
            ends.append(view.ends[end - 1])
            depths.append(depth)
    if not copied:
        return None
    pieces.append(view.text[copied:])
    starts.extend(view.starts[copied:])
    ends.extend(view.ends[copied:])
    depths += view.depths[copied:]
    return DecodedText("".join(pieces), starts, ends, depths)


def _is_real_quote(view: DecodedText, match: re.Match[str]) -> bool:
    r"""Return whether the quote is not escaped, because the backslash before it is (``\\"``)."""
    escaped = match["escaped"]
    return bool(escaped) and not view.is_within(match.start(), view.depth(match.end() - 1))


def _decode_character(view: DecodedText, match: re.Match[str]) -> tuple[str, int]:
    """Return which character is meant, and its packed depth."""
    json_depth, percent_depth = view.depth(match.start())
    if match["byte"]:
        character = chr(int(match["byte"], 16)).lower()
        percent_depth += 1 + len(match["again"]) // 2
    else:
        character = match["escaped"] or chr(int(match["code"], 16)).lower()
        escaped_json_depth, escaped_percent_depth = view.depth(match.end() - 1)
        json_depth = max(json_depth, escaped_json_depth) + 1
        percent_depth = max(percent_depth, escaped_percent_depth)
    return character, json_depth * _PERCENT_DEPTHS + min(percent_depth, _PERCENT_DEPTHS - 1)
