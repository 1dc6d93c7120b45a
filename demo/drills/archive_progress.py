"""How far the archive's newest batch has come, read from the checkpoint and the tables' logs."""

import json
from pathlib import Path
from typing import NamedTuple

from contract.json_shape import json_lines
from contract.lake import CAMERA, QUARANTINE
from contract.queries import Query
from demo.drills.running_demo import RunningDemo


class BatchProgress(NamedTuple):
    """The archive's newest batch: whether it is planned, in each table, and committed."""

    planned: int
    in_camera: int
    in_quarantine: int
    committed: int

    def sentence(self) -> str:
        """Say it for people."""
        names = [
            "its camera rows" if self.in_camera >= self.planned else "",
            "its quarantine rows" if self.in_quarantine >= self.planned else "",
        ]
        written = " and ".join(filter(None, names)) or "nothing"
        is_open = "not committed" if self.committed < self.planned else "committed"
        return f"Batch {self.planned} had written {written}, and was {is_open}."


def archive_progress(demo: RunningDemo) -> BatchProgress:
    """Return how far the archive's newest batch has come."""
    checkpoint = demo.checkpoints / Query.ARCHIVE
    return BatchProgress(
        newest_number(checkpoint / "offsets"),
        _newest_batch(demo.lake / CAMERA),
        _newest_batch(demo.lake / QUARANTINE),
        newest_number(checkpoint / "commits"),
    )


def newest_number(folder: Path) -> int:
    """Return the largest number among the names of a folder's files; -1 without one."""
    return max((int(path.name) for path in folder.glob("*") if path.name.isdigit()), default=-1)


def newest_commit(table: Path) -> Path | None:
    """Return the file of a table's newest version; None without a table."""
    return max((table / "_delta_log").glob("*.json"), default=None)


def _newest_batch(table: Path) -> int:
    """Return the batch that the table's newest append is of; -1 if there is none."""
    for commit in sorted((table / "_delta_log").glob("*.json"), reverse=True):
        for line in json_lines(commit.read_text()):
            version = json.loads(line).get("txn", {}).get("version")
            if version is not None:
                return int(version)
    return -1
