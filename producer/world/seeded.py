"""Chance that can be told again: numbers and ids drawn from a name, the same on every machine.

Hashing is several times faster than seeding ``random.Random``, which matters as every camera and
hour has a name of its own, and does not change with Python's version.
"""

from base64 import b64encode
from bisect import bisect
from collections.abc import Iterator, Sequence
from hashlib import blake2b
from itertools import count
from struct import Struct
from typing import TypeVar

T = TypeVar("T")

_NUMBERS = Struct("<16I")


def draws(name: bytes) -> Iterator[float]:
    """Yield numbers in [0, 1), endlessly; the same name gives the same ones."""
    for block in count():
        digest = blake2b(name, digest_size=64, salt=b"%d" % block).digest()
        for number in _NUMBERS.unpack(digest):
            yield number / 0x1_0000_0000


def pick(options: Sequence[T], shares: Sequence[float], draw: float) -> T:
    """Choose an option by a draw; ``shares`` are the options' upper ends on the way to 1."""
    return options[min(bisect(shares, draw), len(options) - 1)]


def ident(name: bytes, size: int = 12) -> str:
    """Make an id of letters and digits from a name; ``size`` is in bytes, 12 give 16 characters."""
    return b64encode(blake2b(name, digest_size=size).digest(), altchars=b"xy").decode().rstrip("=")
