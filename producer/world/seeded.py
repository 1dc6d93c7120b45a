"""Numbers and ids drawn from a name: the same name gives the same ones on every machine.

Every camera and hour has a name of its own. Hashing a name is several times faster than seeding
``random.Random`` with it, and does not change with Python's version.
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


def uniforms(name: bytes) -> Iterator[float]:
    """Yield uniformly distributed numbers in [0, 1), endlessly; a name always gives the same."""
    for block in count():
        digest = blake2b(name, digest_size=64, salt=b"%d" % block).digest()
        for number in _NUMBERS.unpack(digest):
            yield number / 0x1_0000_0000


def weighted_choice(options: Sequence[T], cumulative_shares: Sequence[float], draw: float) -> T:
    """Return the option for a number in [0, 1).

    The shares of the options are summed up: ``(0.5, 0.8, 1.0)`` for 50, 30 and 20 %.
    """
    return options[min(bisect(cumulative_shares, draw), len(options) - 1)]


def stable_id(name: bytes, size: int = 12) -> str:
    """Return an id of letters and digits for a name.

    ``size`` is the number of random bytes in it: 12 give 16 characters.
    """
    return b64encode(blake2b(name, digest_size=size).digest(), altchars=b"xy").decode().rstrip("=")
