"""What became of the dirt that the producer injected on purpose, and marked in a header."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from check.expected_record import Row
from check.rows import QUARANTINE

HEADER = "dirt"
BECOMES = {
    "duplicate": "archived again, counted once",
    "late": "archived, and counted by its own timestamp",
    "malformed": "in quarantine as malformed",
    "unplaced": "archived, and counted under unknown",
    "future": "in quarantine as future, not counted",
}
"""What each kind must become. That the counts are right the check proves for all records together;
here a record is caught when the table has it where it belongs."""
_IN_QUARANTINE = ("malformed", "future")
_REASON = list(QUARANTINE).index("reason")
_MOST_KINDS = 20
_OTHER = "other"


@dataclass
class DirtTally:
    """One kind of dirt: how many records of it were sent, and how many were caught."""

    kind: str
    becomes: str
    injected: int = 0
    caught: int = 0


@dataclass
class Dirt:
    """The tallies by kind, of the records that the archive has committed."""

    by_kind: dict[str, DirtTally] = field(default_factory=dict)

    def take(
        self, kind: str, expected: list[Row], archived: list[Row], quarantined: list[Row]
    ) -> None:
        """Note a marked record, the archive rows that it must have, and what the lake has of it."""
        tally = self._tally(kind)
        tally.injected += 1
        if kind in _IN_QUARANTINE:
            tally.caught += any(row[_REASON] == kind for row in quarantined)
        else:
            tally.caught += len(archived) == len(expected)

    def _tally(self, kind: str) -> DirtTally:
        if kind not in self.by_kind and len(self.by_kind) >= _MOST_KINDS:
            kind = _OTHER
        becomes = BECOMES.get(kind, "archived as it is")
        return self.by_kind.setdefault(kind, DirtTally(kind, becomes))


def kind_of(headers: Iterable[tuple[str, bytes | None]]) -> str | None:
    """Return the kind of dirt that a record's headers name; None if it is no dirt."""
    for name, value in headers:
        if name == HEADER:
            return (value or b"").decode("utf-8", "replace")[:40]
    return None
