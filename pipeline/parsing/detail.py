"""The detail of a rejection: what is concerned, bounded whatever a record holds."""

from bisect import insort

MAX_ENTRIES = 20
MAX_NAME = 100
"""Characters of a device_id, a map key or a path."""
MAX_TEXT = 300
"""Characters of free text."""


class Detail:
    """Keeps the smallest entries as text and counts the rest, so that no record can fill memory."""

    def __init__(self) -> None:
        self._smallest: list[str] = []
        self._count = 0

    def __bool__(self) -> bool:
        return self._count > 0

    def append(self, entry: str) -> None:
        """Add an entry, cut to ``MAX_NAME`` characters."""
        self._add(shorten(entry))

    def extend(self, name: str, paths: "Detail") -> None:
        """Add the paths of the object of that name, as ``name: path``."""
        prefix = f"{shorten(name)}: "
        for path in paths._smallest:
            self._add(prefix + path)
        self._count += paths._count - len(paths._smallest)

    def __str__(self) -> str:
        more = self._count - len(self._smallest)
        return ", ".join([*self._smallest, *([f"and {more} more"] if more else [])])

    def _add(self, entry: str) -> None:
        self._count += 1
        insort(self._smallest, entry)
        del self._smallest[MAX_ENTRIES:]


def shorten(text: str, length: int = MAX_NAME) -> str:
    """Return a text of at most ``length`` characters and, where something was cut off, ``…``."""
    return text if len(text) <= length else f"{text[:length]}…"
