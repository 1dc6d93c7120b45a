"""The files of a Delta table's commits, and damage to them."""

from pathlib import Path

from contract.settings import Settings


def commits_of(settings: Settings, table: str = "camera") -> list[Path]:
    """Return the commits of a table, the oldest first."""
    return sorted(Path(f"{settings.lake}/{table}/_delta_log").glob("*.json"))


def delete(commit: Path) -> None:
    """Delete a commit with its checksums."""
    for file in commit.parent.glob(f"*{commit.stem}.*"):
        file.unlink()


def tear(commit: Path) -> None:
    """Tear a commit, as a machine that loses power may do."""
    commit.write_bytes(commit.read_bytes()[:100])
    for file in commit.parent.glob(f".{commit.name}.crc"):
        file.unlink()
    commit.with_suffix(".crc").unlink(missing_ok=True)
