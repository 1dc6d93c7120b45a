"""The verdict of the last check, kept in a file of the state's folder for those who watch."""

import json
from dataclasses import dataclass
from pathlib import Path

from pydantic import TypeAdapter

from contract.atomic_write import write_atomically
from contract.instants import format_instant
from contract.typed_json import Instant, decode_json
from contract.verdict import Verdict

LAST_CHECK_FILE = "last-check.json"
"""In the folder of the state."""


@dataclass(frozen=True)
class LastCheck:
    """What a check has found, and from when to when it ran (UTC)."""

    started_at: Instant
    ended_at: Instant
    verdict: Verdict


_LAST_CHECK = TypeAdapter(LastCheck)


def keep_last_check(state: Path, check: LastCheck) -> None:
    """Keep a verdict where there is a folder for it; OSError if that cannot be written.

    A check may run on a machine that has no part of the demo, and leaves nothing there.
    """
    if not state.is_dir():
        return
    document = {
        "started_at": format_instant(check.started_at),
        "ended_at": format_instant(check.ended_at),
        "verdict": check.verdict.as_json(),
    }
    write_atomically(state / LAST_CHECK_FILE, json.dumps(document, indent=2) + "\n")


def read_last_check(state: Path) -> LastCheck | None:
    """Return the verdict that was kept last; None if there is none that can be read."""
    try:
        return decode_json(_LAST_CHECK, (state / LAST_CHECK_FILE).read_bytes())
    except (OSError, ValueError):
        return None
