"""A folder on the disk for what the check does not keep in memory."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from errno import EDQUOT, EFBIG, ENOSPC
from pathlib import Path
from tempfile import TemporaryDirectory, gettempdir

from contract.errors import UserError


@contextmanager
def scratch_folder() -> Iterator[Path]:
    """Yield an empty folder among the temporary files, which is removed afterwards.

    Raises UserError when the disk is full.
    """
    with TemporaryDirectory(prefix="nest-check-") as folder:
        try:
            yield Path(folder)
        except (sqlite3.OperationalError, OSError) as error:
            if not _is_of_a_full_disk(error):
                raise
            raise UserError(
                f"The check cannot write to {gettempdir()}: {error}. Make room there, or set "
                "TMPDIR to a folder on another disk."
            ) from None


def _is_of_a_full_disk(error: sqlite3.OperationalError | OSError) -> bool:
    if isinstance(error, OSError):
        return error.errno in (ENOSPC, EDQUOT, EFBIG)
    return error.sqlite_errorcode in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR_WRITE)
