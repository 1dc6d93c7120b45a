"""The claims on a folder of an object store: numbered objects, the newest of which counts."""

import json
import re
import time
from pathlib import Path
from typing import NamedTuple

from obstore.store import S3Store

from contract.errors import UserError
from contract.process_life import is_alive

CLAIMS = "_writer"
"""Folder of the claims, below the one that has a single writer."""
_NAME = re.compile(r"(.*/)?\d{20}")


class Holder(NamedTuple):
    """Who holds a lease: the process, and the machine that knows it by this id."""

    id: str
    host: str
    pid: int
    machine: str

    def is_dead(self) -> bool:
        """Tell whether the process was one of this machine and is gone; unknown is no."""
        if not self.machine or self.machine != this_machine():
            return False
        return not is_alive(self.pid)

    def __str__(self) -> str:
        return f"process {self.pid} on {self.host}"


class Claim(NamedTuple):
    """The newest claim as it was found."""

    number: int
    holder: Holder | None
    """None if it was released."""
    e_tag: str
    age_s: float
    """Seconds since it was renewed, by the store's clock and ours."""

    def is_over(self) -> bool:
        """Tell whether it was released, or its holder is known to be dead."""
        return self.holder is None or self.holder.is_dead()


def newest_claim(store: S3Store) -> Claim | None:
    """Return the claim with the highest number; None without any.

    Raises UserError if it is none that this version could have written.
    """
    paths = claim_paths(store)
    if not paths:
        return None
    path = max(paths, key=claim_number)
    try:
        answer = store.get(path)
    except FileNotFoundError:  # a newer one has come meanwhile, and it was removed
        return newest_claim(store)
    age = time.time() - answer.meta["last_modified"].timestamp()
    try:
        fields, _ = json.loads(bytes(answer.bytes()))
        holder = None if fields is None else Holder(*fields)
    except (ValueError, TypeError):
        raise UserError(
            f"The object {path} in the store is no claim of this version of the pipeline. If no "
            "other version runs there, delete it."
        ) from None
    return Claim(claim_number(path), holder, str(answer.meta["e_tag"]), age)


def claim_paths(store: S3Store) -> list[str]:
    """Return the paths of all claims; a store may show for a moment what it is still writing."""
    paths = [each["path"] for batch in store.list(f"{CLAIMS}/") for each in batch]
    return [path for path in paths if _NAME.fullmatch(path)]


def claim_number(path: str) -> int:
    """Return the number of a claim, by its path."""
    return int(path.rpartition("/")[2])


def this_machine() -> str:
    """Return what tells machines, their starts and their containers apart; empty if unknown."""
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
        return f"{boot} {Path('/proc/self/ns/pid').readlink()}"
    except OSError:
        return ""
