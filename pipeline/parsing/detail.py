"""The detail of a rejection: what is concerned, bounded whatever a record holds."""

from bisect import insort
from collections.abc import Callable

from contract.redaction import HIDDEN, redact_text

MAX_ENTRIES = 20
MAX_NAME = 100
"""Characters of a device_id, a map key or a path."""


class Detail:
    """Keeps the smallest entries as text and counts the rest, so that no record can fill memory.

    ``show`` makes of an entry what is written of it: it is sorted whole and shown short.
    """

    def __init__(self, show: Callable[[str], str]) -> None:
        self._show = show
        self._smallest: list[str] = []
        self._count = 0

    def __bool__(self) -> bool:
        return self._count > 0

    def append(self, entry: str) -> None:
        """Add an entry."""
        self._count += 1
        insort(self._smallest, entry)
        del self._smallest[MAX_ENTRIES:]

    def extend(self, name: str, paths: "Detail") -> None:
        """Add the paths of the object of that name, as ``name: path``."""
        for path in paths._smallest:
            self.append(f"{name}: {path}")
        self._count += paths._count - len(paths._smallest)

    def __str__(self) -> str:
        shown = [self._show(entry) for entry in self._smallest]
        more = self._count - len(shown)
        return ", ".join([*shown, *([f"and {more} more"] if more else [])])


def shorten(name: str) -> str:
    """Return a name of at most ``MAX_NAME`` characters and, where something was cut off, ``…``."""
    return name if len(name) <= MAX_NAME else f"{name[:MAX_NAME]}…"


def show_key(key: str) -> str:
    """Return a camera's map key as a detail shows it: short, and only up to a credential in it.

    The archive has no keys. Any text may be one, and where a credential ends can be unclear.
    """
    redacted = redact_text(key)
    if redacted != key:
        before, hidden, _ = redacted.partition(HIDDEN)
        redacted = before + hidden
    return shorten(redacted)
