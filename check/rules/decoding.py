"""Text as whoever decodes it sees it, and where each character of that view is in the original.

JSON escapes (also escaped several times), percent-encoding and the NUL characters of UTF-16 that
was read as UTF-8 are seen through.
"""

import re
from array import array
from collections.abc import Sequence

_PLAIN = re.compile(r"[^\\%\0]+")
_SPECIAL = re.compile(r"[\\%\0]")
_HEXADECIMAL = frozenset("0123456789abcdefABCDEF")
_MEAN_THEMSELVES = frozenset("\"'/\\")  # after a backslash
_LONGEST_ESCAPE = 6
_MOST = 15  # a level is four bits


class View:
    """A decoded text; ``starts`` and ``levels`` have one number per character.

    A level says how often a character is escaped: for JSON in the upper four bits, for percent
    in the lower four. ``starts`` has the end of the original as one more number.
    """

    def __init__(self, original: str) -> None:
        self.text = original
        self.starts: Sequence[int] = range(len(original) + 1)
        self.levels: bytes | bytearray = bytes(len(original))
        if _SPECIAL.search(original):
            decoder = _Decoder()
            decoder.decode(original)
            self.text = "".join(decoder.characters)
            self.starts, self.levels = decoder.starts, decoder.levels

    def is_within(self, position: int, level: int) -> bool:
        """Tell whether a character is escaped at most as often as a level says, in both ways."""
        own = self.levels[position]
        return own == 0 or (own >> 4 <= level >> 4 and own & _MOST <= level & _MOST)


class _Decoder:
    """Reads from left to right; replaces each escape as soon as its last character is there.

    What replaces it may end an escape itself. Each replacement makes the text shorter, so the time
    grows with the length of the text.
    """

    def __init__(self) -> None:
        self.characters: list[str] = []
        self.starts = array("L")
        self.levels = bytearray()

    def decode(self, original: str) -> None:
        """Read a text."""
        characters, starts, levels = self.characters, self.starts, self.levels
        position, end = 0, len(original)
        pending = 0  # so many of the next characters may still end an escape
        while position < end:
            if not pending and (plain := _PLAIN.match(original, position)):
                stop = plain.end()
                characters.extend(original[position:stop])
                starts.extend(range(position, stop))
                levels.extend(bytes(stop - position))
                position = stop
                continue
            character = original[position]
            if character != "\0":
                pending = _LONGEST_ESCAPE if character in "\\%" else max(0, pending - 1)
                characters.append(character)
                starts.append(position)
                levels.append(0)
                while self._replace_last():
                    pending = _LONGEST_ESCAPE
            position += 1
        starts.append(end)

    def _replace_last(self) -> bool:
        """Replace an escape at the end of what has been read so far."""
        characters, levels = self.characters, self.levels
        last = characters[-1]
        size = 0
        if last in _MEAN_THEMSELVES and characters[-2:-1] == ["\\"]:
            if levels[-2] >> 4 <= levels[-1] >> 4 and levels[-2] & _MOST <= levels[-1] & _MOST:
                meant, size, level = last, 2, _once_more_in_json(levels[-1])
        elif last in _HEXADECIMAL and characters[-2:-1] and characters[-2] in _HEXADECIMAL:
            meant = chr(int(characters[-2] + last, 16))
            if characters[-3:-2] == ["%"]:
                size, level = 3, levels[-3] & 0xF0 | min(levels[-3] & _MOST, _MOST - 1) + 1
            elif characters[-4:-2] == ["\\", "x"]:
                size, level = 4, _once_more_in_json(levels[-4])
            elif characters[-6:-2] == ["\\", "u", "0", "0"]:
                size, level = 6, _once_more_in_json(levels[-6])
        if not size or not meant.isascii():
            return False
        del characters[-size:], levels[-size:], self.starts[-size + 1 :]
        if meant == "\0":
            self.starts.pop()
            return False
        characters.append(meant)
        levels.append(level)
        return True


def _once_more_in_json(level: int) -> int:
    return min(level >> 4, _MOST - 1) + 1 << 4 | level & _MOST
