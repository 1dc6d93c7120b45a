"""Files for their owner alone: messages, which Kafka keeps and logs, have tokens in them."""

import os
from pathlib import Path
from typing import IO

OWNER_ONLY = 0o077
"""The umask of a process whose files are the owner's alone."""


def make_private_folder(folder: Path) -> None:
    """Make a folder that only its owner may enter; one that exists keeps what is in it."""
    folder.mkdir(parents=True, exist_ok=True)
    folder.chmod(0o700)


def open_private(file: Path) -> IO[str]:
    """Open a file anew for writing; only its owner may read it."""
    file.unlink(missing_ok=True)  # one that is there would keep its mode
    return open(file, "w", opener=_open_for_owner)


def _open_for_owner(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)
