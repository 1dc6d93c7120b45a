"""Remove what runs left behind."""

import shutil
from pathlib import Path

from contract.settings import Settings
from demo.disk_usage import bytes_used
from demo.stack.run_lock import RunLock

_LEFT = (
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
"""What runs leave in ``settings.state``; anything else there is not ours to remove."""


def what_to_remove(settings: Settings, everything: bool) -> dict[Path, int]:
    """Return what runs left behind, with its size in bytes; ``everything`` names the jars too.

    A lake or checkpoints that are a URI, hence not on this machine, are not touched. Raises
    UserError while a demo runs.
    """
    for name, owner in (("up.json", "nest up"), ("run.json", "nest run")):
        RunLock(settings.state / name, owner).require_free()
    names = (*_LEFT, "jars") if everything else _LEFT
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
