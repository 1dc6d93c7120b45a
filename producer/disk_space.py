"""The disk space that a producer leaves free."""

import shutil
from pathlib import Path

from contract.errors import UserError

MIN_FREE_BYTES = 2 * 10**9
"""Bytes that stay free on the disk."""
CHECK_EVERY_S = 0.5
"""Seconds between two checks of a producer that runs."""


def require_free_disk(folder: Path, min_free: int | None = None) -> None:
    """Raise UserError if fewer than ``min_free`` bytes are free on the disk of a folder.

    The folder need not exist yet. By default ``MIN_FREE_BYTES`` have to be free.
    """
    min_free = MIN_FREE_BYTES if min_free is None else min_free
    existing = next(f for f in (folder.absolute(), *folder.absolute().parents) if f.exists())
    free = shutil.disk_usage(existing).free
    if free < min_free:
        raise UserError(
            f"Only {free / 1e9:.1f} GB of disk are free at {existing}; the producer stops below "
            f"{min_free / 1e9:.0f} GB. Free some, or remove what runs left behind with "
            "`nest reset`."
        )
