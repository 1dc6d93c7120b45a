"""`nest reset`: remove what runs left behind."""

import shutil
from pathlib import Path

from contract.settings import Settings
from demo.stack.disk_usage import bytes_used
from demo.stack.run_lock import RunLock

_LEFTOVERS = (
    "kafka",
    "lake",
    "checkpoints",
    "run",
    "logs",
    "ivy",
    "up.json",
    "run.json",
    "device_locations-*.csv",
)
"""What runs leave in ``settings.state``; nothing else there is removed."""


def find_leftovers(settings: Settings, everything: bool) -> dict[Path, int]:
    """Return what runs left behind, with its size in bytes; with ``everything`` the jars, too.

    A lake or checkpoints given as a URI are on another machine and stay. Raises
    UserError while a demo runs.
    """
    for name, owner in (("up.json", "nest up"), ("run.json", "nest run")):
        RunLock(settings.state / name, owner).require_free()
    names = (*_LEFTOVERS, "jars") if everything else _LEFTOVERS
    places = [path for name in names for path in settings.state.glob(name)]
    places += [path for path in map(Path, (settings.lake, settings.checkpoints)) if path.exists()]
    found = {path.parent.resolve() / path.name for path in places}
    inner = {path for path in found if found & set(path.resolve().parents)}
    return {path: _size(path) for path in sorted(found - inner)}


def remove(paths: list[Path]) -> None:
    """Remove files and folders."""
    for path in paths:
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink()


def _size(path: Path) -> int:
    return bytes_used(path) if path.is_dir() else path.lstat().st_size
