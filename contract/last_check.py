"""The verdict of the last check, kept in a file of the state's folder for those who watch."""

import json
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from contract.atomic_write import write_atomically
from contract.instants import format_instant

_FILE = "last-check.json"


@dataclass(frozen=True)
class LastCheck:
    """Whether every comparison of the check held, when it ended (UTC), and which did not hold."""

    holds: bool
    ended_at: datetime
    failed: tuple[str, ...] = ()
    started_at: datetime | None = None
    """UTC; None where it is not known."""
    verdict: dict[str, Any] | None = None
    """The whole verdict, as ``nest check --format json`` prints it; None where it was not kept."""


def keep_last_check(state: Path, check: LastCheck) -> None:
    """Keep a verdict where there is a folder for it; OSError if that cannot be written.

    A check may run on a machine that has no part of the demo, and leaves nothing there.
    """
    if not state.is_dir():
        return
    document = {
        "holds": check.holds,
        "ended_at": format_instant(check.ended_at),
        "failed": check.failed,
        "started_at": check.started_at and format_instant(check.started_at),
        "verdict": check.verdict,
    }
    write_atomically(state / _FILE, json.dumps(document, indent=2) + "\n")


def read_last_check(state: Path) -> LastCheck | None:
    """Return the verdict that was kept last; None if there is none that can be read."""
    try:
        document = json.loads((state / _FILE).read_text())
        started_at, verdict = document.get("started_at"), document.get("verdict")
        return LastCheck(
            document["holds"] is True,
            _instant(document["ended_at"]),
            tuple(document["failed"]),
            _instant(started_at) if started_at else None,
            verdict if isinstance(verdict, dict) else None,
        )
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return None


def _instant(text: str) -> datetime:
    return datetime.fromisoformat(text).astimezone(UTC)
