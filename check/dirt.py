"""What became of the dirt that the producer injected on purpose and marked with a header."""

from collections.abc import Iterable, Sequence

from check.rules.columns import QUARANTINE_COLUMNS
from check.rules.expected_record import Row
from contract.verdict import InjectedDirt

HEADER = "dirt"
BECOMES = {
    "duplicate": "archived again, counted once",
    "late": "archived, and counted by its own timestamp",
    "malformed": "in quarantine as malformed",
    "unplaced": "archived, and counted under unknown",
    "future": "in quarantine as future, not counted",
}
"""What each kind must become. A record is caught if the table where it belongs has it; whether it
is counted rightly is part of the comparison of all counts."""
_IN_QUARANTINE = ("malformed", "future")
_REASON = list(QUARANTINE_COLUMNS).index("reason")
_MAX_KINDS = 20
_OTHER = "other"


class DirtCounts:
    """The dirt by kind, in the records that the archive query has committed."""

    def __init__(self) -> None:
        self._by_kind: dict[str, InjectedDirt] = {}

    def add(
        self,
        kind: str,
        expected: Sequence[Row],
        archived: Sequence[Row],
        quarantined: Sequence[Row],
    ) -> None:
        """Count a marked record: its expected archive rows, and its rows in the two tables."""
        dirt = self._of_kind(kind)
        dirt.injected += 1
        if kind in _IN_QUARANTINE:
            dirt.caught += any(row[_REASON] == kind for row in quarantined)
        else:
            dirt.caught += len(archived) == len(expected)

    def kinds(self) -> list[InjectedDirt]:
        """Return every kind that was found, by name."""
        return sorted(self._by_kind.values(), key=lambda dirt: dirt.kind)

    def _of_kind(self, kind: str) -> InjectedDirt:
        if kind not in self._by_kind and len(self._by_kind) >= _MAX_KINDS:
            kind = _OTHER
        becomes = BECOMES.get(kind, "archived as it is")
        return self._by_kind.setdefault(kind, InjectedDirt(kind, becomes))


def dirt_kind(headers: Iterable[tuple[str, bytes | None]]) -> str | None:
    """Return the kind of dirt that a record's headers name; None if it is not marked as dirt."""
    for name, value in headers:
        if name == HEADER:
            return (value or b"").decode("utf-8", "replace")[:40]
    return None
