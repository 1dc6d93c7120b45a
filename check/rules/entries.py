"""The entries of a quarantine detail: bounded in number and length, whatever a record holds."""

from bisect import insort

MAX_ENTRIES = 20
"""How many entries a detail lists."""
MAX_LENGTH = 100
"""Characters of a camera key, device_id or path in an entry."""


class Entries:
    """The smallest entries, sorted as text, and how many there are in all."""

    __slots__ = ("count", "smallest")

    def __init__(self) -> None:
        self.count = 0
        self.smallest: list[str] = []

    def add(self, entry: str) -> None:
        """Count an entry, and keep it if it is among the smallest."""
        self.count += 1
        if len(self.smallest) < MAX_ENTRIES:
            insort(self.smallest, entry)
        elif entry < self.smallest[-1]:
            self.smallest.pop()
            insort(self.smallest, entry)

    def add_all(self, prefix: str, others: "Entries") -> None:
        """Add all entries of another list, each behind a prefix."""
        for entry in others.smallest:
            self.add(prefix + entry)
        # The same prefix keeps the order: what the other list left out would be left out here too.
        self.count += others.count - len(others.smallest)


def cut_name(name: str) -> str:
    """Cut a name to ``MAX_LENGTH`` characters; ``…`` says that it was cut."""
    return name if len(name) <= MAX_LENGTH else name[:MAX_LENGTH] + "…"
