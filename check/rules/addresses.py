"""Where an address in a text has its host, and before it perhaps a user and a password."""

import re
from collections.abc import Iterator
from typing import NamedTuple

_SLASHES = re.compile(":?/+")
_SCHEME = re.compile(r"[a-zA-Z0-9+.-]+\Z")
_LONGEST_LOOK_BACK = 5
"""Enough to tell ``file`` from a scheme that ends like it."""
_NO_ADDRESS_BEFORE_SLASHES = re.compile(r"[\w./~-]\Z")


class AddressStart(NamedTuple):
    """An address has its first slash at ``slash``, and its user and host from ``start`` on."""

    slash: int
    start: int
    has_colon: bool
    is_sure: bool


def find_address_starts(text: str) -> Iterator[AddressStart]:
    """Yield where addresses begin: after a scheme and slashes, or after two slashes.

    How many slashes follow a scheme does not matter, as in a browser. But two are needed without a
    scheme, and after ``file:`` or a single letter, which may be that of a drive.
    """
    for match in _SLASHES.finditer(text):
        has_colon = match[0].startswith(":")
        slash = match.start() + has_colon
        before = text[max(0, match.start() - _LONGEST_LOOK_BACK) : match.start()]
        if has_colon and _is_scheme(before):
            yield AddressStart(slash, match.end(), True, True)
        elif match.end() - slash > 1:
            is_sure = has_colon or not _NO_ADDRESS_BEFORE_SLASHES.search(before)
            yield AddressStart(slash, slash + 2, has_colon, is_sure)


def _is_scheme(before: str) -> bool:
    """Tell whether a text ends with a scheme after which any number of slashes may come."""
    name = _SCHEME.search(before)
    return name is not None and name[0][-2:-1].isalpha() and name[0].lower() != "file"
