"""The only writer below a folder of an object store: it holds a lease, a small object there.

Delta keeps two writers of one application apart, but not two applications: on an object store the
later one would write over a commit of the other, without an error. So each writer puts a claim, an
object with the next number, by a put that succeeds only where there is no object. The newest claim
is the holder's, who renews it. Whoever finds a newer one, or cannot renew in time, ends at once.
"""

import json
import os
import socket
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from obstore.exceptions import AlreadyExistsError, BaseError

from contract.bucket_access import open_store
from contract.errors import UserError
from contract.object_store import ObjectStore
from contract.polling import poll_until
from pipeline.single_writer.claims import (
    CLAIMS,
    Claim,
    Holder,
    claim_number,
    claim_paths,
    newest_claim,
    this_machine,
)

LEASE_S = 30.0
"""A holder that has renewed nothing for so long is dead, and has ended itself before."""
_RENEW_S = 5.0
_GIVE_UP_S = LEASE_S - 2 * _RENEW_S
_LOOK_EVERY_S = 0.5
"""How soon a machine that was suspended notices that its lease is over."""
_CLOCK = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)
"""A clock that goes on while the machine is suspended, where there is one (Linux)."""


class Lease:
    """The lease of one folder; ``lost`` is called, in a thread, when it could not be renewed."""

    def __init__(self, store: ObjectStore, folder: str, lost: Callable[[str], None]) -> None:
        """Name the folder by its URI; nothing is asked of the store yet."""
        self._store = open_store(store, folder)
        self._folder = folder
        self._lost = lost
        self._own = Holder(uuid.uuid4().hex, socket.gethostname(), os.getpid(), this_machine())
        self._number = 0
        self._renewed = _now()
        self._is_over = threading.Event()
        self._renewals = threading.Thread(target=self._renew, name="lease", daemon=True)
        # A thread of its own, because a call to the store may take longer than the lease lasts.
        self._watch = threading.Thread(target=self._end_in_time, name="lease watch", daemon=True)

    @contextmanager
    def held(self) -> Iterator[None]:
        """Hold the lease; UserError if another process does.

        Where the last holder may be dead, that takes as long as a lease is valid.
        """
        self.take()
        self._renewals.start()
        self._watch.start()
        try:
            yield
        finally:
            self._is_over.set()
            self._renewals.join(_GIVE_UP_S)
            with suppress(BaseError, OSError):
                self._put("overwrite", self._number, None)

    def take(self) -> None:
        """Put a claim after the newest one, once that is over."""
        try:
            newest = newest_claim(self._store)
            if newest and not newest.is_over():
                self._wait_for_end_of(newest)
            self._number = newest.number + 1 if newest else 1
            self._renewed = _now()
            is_created = self._create()
            newest = newest_claim(self._store)
            # Where this process stood still meanwhile, its number may be that of a claim long over.
            if not is_created or newest is None or newest.number != self._number:
                if newest and newest.is_over():
                    self.take()
                    return
                raise self._held_by(newest and newest.holder)
            for path in claim_paths(self._store):
                if claim_number(path) < self._number:
                    self._store.delete(path)
        except (BaseError, OSError) as error:
            reason = str(error).splitlines()[0][:200]
            raise UserError(f"{self._folder} cannot be locked: {reason}") from None

    def _create(self) -> bool:
        """Put the claim where there is none; False if somebody was faster.

        Raises UserError if the store would put a second one over it.
        """
        try:
            self._put("create", self._number, self._own)
        except AlreadyExistsError:  # perhaps our own, sent again after an answer was lost
            newest = newest_claim(self._store)
            return newest is not None and newest.holder == self._own
        try:
            self._put("create", self._number, self._own)
        except AlreadyExistsError:
            return True
        raise UserError(
            f"The object store of {self._folder} puts an object over another though it is told not "
            "to (If-None-Match). Two pipelines would lose each other's commits there: take a store "
            "that keeps to conditional puts."
        )

    def _put(self, mode: str, number: int, holder: Holder | None) -> None:
        content = json.dumps([holder, time.time()]).encode()  # never the same twice
        self._store.put(f"{CLAIMS}/{number:020d}", content, mode=mode)  # type: ignore[arg-type]

    def _wait_for_end_of(self, claim: Claim) -> None:
        """Return when a claim was not renewed for its whole time; UserError if it is."""

        def renewed_claim() -> Claim | None:
            found = newest_claim(self._store)
            return found if found and found.e_tag != claim.e_tag else None

        try:
            found = poll_until(renewed_claim, "a sign of life", LEASE_S, 1.0)
        except TimeoutError:
            return
        if found and not found.is_over():
            raise self._held_by(found.holder)

    def _held_by(self, holder: Holder | None) -> UserError:
        """Return the error for a lease that another process holds."""
        return UserError(
            f"Another pipeline, or a command that excludes one, writes to {self._folder} "
            f"({holder or 'an unknown process'}). Stop it first, or set NEST_LAKE and "
            "NEST_CHECKPOINTS."
        )

    def _renew(self) -> None:
        while not self._is_over.wait(_RENEW_S):
            begun = _now()
            with suppress(BaseError, OSError):
                self._put("overwrite", self._number, self._own)
                newest = newest_claim(self._store)
                if newest is None or newest.number != self._number:
                    self._is_over.set()
                    self._lost(f"another process has taken the lease of {self._folder}")
                    return
                self._renewed = begun

    def _end_in_time(self) -> None:
        while not self._is_over.wait(_LOOK_EVERY_S):
            if _now() - self._renewed > _GIVE_UP_S:
                self._is_over.set()
                self._lost(f"the lease of {self._folder} could not be renewed in time")


def _now() -> float:
    """Return seconds by a clock that nobody sets."""
    return time.clock_gettime(_CLOCK)


def lease_holder(store: ObjectStore, folder: str) -> str | None:
    """Return who holds the lease of a folder, as a phrase; None if nobody who lives does."""
    try:
        claim = newest_claim(open_store(store, folder))
    except (BaseError, OSError):
        return None
    if claim is None or claim.is_over() or claim.age_s > LEASE_S:
        return None
    return str(claim.holder)
