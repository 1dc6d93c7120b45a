"""Remove folders so that what is left of a removal that was cut off is known to be ours."""

import shutil
from pathlib import Path

_MARK = ".nest-removing"


def remove_folder(folder: Path) -> None:
    """Remove a folder, if it is there, and what an earlier removal has left of it."""
    marked = mark_for_removal(folder)
    if marked.exists():
        shutil.rmtree(marked)


def mark_for_removal(folder: Path) -> Path:
    """Rename a folder, if it is there, to a hidden name beside it, and return that.

    Inside, files go in any order, and the first may be the one that says whose the others are.
    """
    if folder.name.endswith(_MARK):
        return folder
    marked = folder.with_name(f".{folder.name}{_MARK}")
    if folder.exists():
        if marked.exists():
            shutil.rmtree(marked)
        folder.rename(marked)
    return marked


def marked_in(parent: Path) -> list[Path]:
    """Return the folders in another one whose removal was cut off."""
    return sorted(parent.glob(f".*{_MARK}"))
