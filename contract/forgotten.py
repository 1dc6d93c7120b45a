"""The list of forgotten homes and cameras: salted digests of their ids, beside the lake's tables.

`nest forget` writes it. Whatever writes rows of nest-logs to the lake leaves these homes out, and
the check expects none of their rows. The digests are of no use without the id that they are of.
"""

import hashlib
import json
import secrets
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any

WORD_ENDS = r"""(?U)[\s\x1c-\x1f"'`/\\?&=#,;:{}\[\]()<>|]+"""
"""What lies between the words of a text, for Java; a text mentions an id if a word is the id."""


@dataclass(frozen=True)
class Forgotten:
    """A salt, and the digest (SHA-256 of salt and id, hexadecimal) of each forgotten id."""

    salt: str = field(default_factory=lambda: secrets.token_hex(16))
    digests: frozenset[str] = frozenset()
    also_reported: frozenset[str] = frozenset()
    """The digest of each camera of another home of which a message of a forgotten home has told:
    counts, sightings and alerts may rest on what is gone."""
    is_removed: bool = True
    """Whether the lake has nothing of them any more; not before `nest forget` has ended."""

    def digest(self, id: str) -> str:  # noqa: A002 - the field's own word
        """Return the digest of an id."""
        return hashlib.sha256((self.salt + id).encode()).hexdigest()

    def with_ids(self, ids: Iterable[str]) -> "Forgotten":
        """Return the list with more ids, of which the lake may still have something."""
        digests = self.digests | {self.digest(each) for each in ids}
        return replace(self, digests=digests, is_removed=False)

    def with_also_reported(self, devices: Iterable[str]) -> "Forgotten":
        """Return the list with more cameras of which forgotten homes have told."""
        also_reported = self.also_reported | {self.digest(each) for each in devices}
        return replace(self, also_reported=also_reported - self.digests)

    def encode(self) -> str:
        """Return the file's text."""
        members = {
            "salt": self.salt,
            "digests": sorted(self.digests),
            "also_reported": sorted(self.also_reported),
            "is_removed": self.is_removed,
        }
        return json.dumps(members, indent=1)


def decode_forgotten(text: str) -> Forgotten:
    """Read the file's text, of whatever version; ValueError if it is none."""
    document = json.loads(text)
    of_older_version: dict[str, Any] = {"also_reported": [], "is_removed": True}
    match of_older_version | document if isinstance(document, dict) else None:
        case {
            "salt": str(salt),
            "digests": [*digests],
            "also_reported": [*also_reported],
            "is_removed": bool(is_removed),
        } if all(isinstance(each, str) for each in (*digests, *also_reported)):
            return Forgotten(salt, frozenset(digests), frozenset(also_reported), is_removed)
    raise ValueError("not a list of forgotten homes, with a text as salt and a list of digests")
