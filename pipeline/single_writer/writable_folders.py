"""Whether the lake and the checkpoints can be used, before anything begins."""

import os
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

from contract.errors import UserError
from contract.lake import TABLES, is_uri
from contract.queries import Query
from contract.require_object_store import require_object_store
from contract.settings import Settings


def require_writable_folders(settings: Settings) -> None:
    """Make the folders of lake and checkpoints; UserError naming the first that is not writable.

    Raises UserError, too, if a bucket of an object store is not there or does not let us in. Other
    file systems say so themselves at the first write.
    """
    require_object_store(settings)
    _require_writable("NEST_LAKE", settings.lake, TABLES)
    _require_writable("NEST_CHECKPOINTS", settings.checkpoints, Query)


def _require_writable(setting: str, place: str, names: Iterable[str]) -> None:
    if is_uri(place):
        return
    folder = root = Path(place)
    try:
        root.mkdir(parents=True, exist_ok=True)
        for folder in (root, *_folders_in(root, names)):
            with tempfile.TemporaryFile(dir=folder):
                pass
    except OSError as error:
        raise UserError(
            f"The folder {folder} cannot be written: {error.strerror}. Let this user write there, "
            f"or set {setting}, which is {root} now, to another folder."
        ) from None


def _folders_in(root: Path, names: Iterable[str]) -> Iterator[Path]:
    """Yield what exists of the folders with these names, and the folders directly in them."""
    for folder in (root / name for name in names):
        if folder.is_dir():
            yield folder
            yield from (Path(each) for each in os.scandir(folder) if each.is_dir())
