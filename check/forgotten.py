"""Homes and cameras that were forgotten: nothing of them may be in the lake.

The list beside the tables has salted digests of their ids. Whose digest is in it is left out: the
messages with its key, its archive rows, and what is in quarantine of a message that mentions it.
"""

import hashlib
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass

import pyarrow as pa
import pyarrow.fs as pafs

from check.rules.columns import ARCHIVE_COLUMNS, QUARANTINE_COLUMNS
from check.rules.expected_record import Row
from contract.arrow_filesystems import filesystem_and_path
from contract.errors import UserError
from contract.lake import forgotten_uri

_IDS = [list(ARCHIVE_COLUMNS).index(name) for name in ("device_id", "structure_id")]
_TEXTS = [list(QUARANTINE_COLUMNS).index(name) for name in ("detail", "raw")]
_WORD = re.compile(r"""[^\s"'`/\\?&=#,;:{}\[\]()<>|]+""")


@dataclass(frozen=True)
class ForgottenIds:
    """Answers for an id, a row or a text whether it belongs to a forgotten home or camera."""

    salt: str
    digests: frozenset[str]
    also_reported: frozenset[str] = frozenset()
    """Those of other homes' cameras of which a forgotten home's messages have told."""
    is_removed: bool = True
    """Whether `nest forget` has ended."""

    def has(self, name: object) -> bool:
        """Tell whether an id is forgotten."""
        return self._digest(name) in self.digests

    def may_lack(self, device_id: object) -> bool:
        """Tell whether the archive may lack what a count or alert of a camera rests on."""
        digest = self._digest(device_id)
        return digest in self.digests or digest in self.also_reported

    def _digest(self, name: object) -> str | None:
        if not isinstance(name, str):
            return None
        return hashlib.sha256((self.salt + name).encode("utf-8", "replace")).hexdigest()

    def has_key(self, key: bytes | None) -> bool:
        """Tell whether a message is of a forgotten home."""
        return key is not None and self.has(key.decode("utf-8", "replace"))

    def has_camera(self, row: Row) -> bool:
        """Tell whether an archive row is of a forgotten home or camera."""
        return any(self.has(row[index]) for index in _IDS)

    def is_mentioned(self, text: object) -> bool:
        """Tell whether a word of a text is a forgotten id."""
        return isinstance(text, str) and any(map(self.has, set(_WORD.findall(text))))

    def is_mentioned_in_row(self, row: Row) -> bool:
        """Tell whether a row of quarantine mentions a forgotten id."""
        return any(self.is_mentioned(row[index]) for index in _TEXTS)

    def without_cameras(self, rows: Sequence[Row]) -> list[Row]:
        """Leave out the archive rows of forgotten homes and cameras."""
        return [row for row in rows if not self.has_camera(row)]


def read_forgotten(lake: str) -> ForgottenIds | None:
    """Read the list beside the tables; None without one. Raises UserError if it is damaged."""
    uri = forgotten_uri(lake)
    try:
        filesystem, path = filesystem_and_path(uri)
        if filesystem.get_file_info(path).type is not pafs.FileType.File:
            return None
        with filesystem.open_input_stream(path) as stream:
            document = json.loads(stream.read())
        salt, digests = document["salt"], document["digests"]
        also_reported = document.get("also_reported", [])
        is_removed = document.get("is_removed", True)
    except (OSError, pa.ArrowException, ValueError, KeyError, TypeError) as error:
        raise UserError(f"The list of forgotten homes {uri} cannot be read: {error}") from None
    # Of 1 in place of "1" nobody can say what was meant: it would be the digest of no home.
    types = [type(digests), type(also_reported), type(is_removed)]
    if types != [list, list, bool] or any(
        type(each) is not str for each in [salt, *digests, *also_reported]
    ):
        raise UserError(
            f"The list of forgotten homes {uri} cannot be read: the salt must be a text, the "
            "digests a list of texts."
        )
    return ForgottenIds(salt, frozenset(digests), frozenset(also_reported), is_removed)
