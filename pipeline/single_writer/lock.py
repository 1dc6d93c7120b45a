"""One pipeline at a time on the same checkpoints, and on the same lake."""

import fcntl
import os
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import IO

from contract.errors import UserError
from contract.file_lock import PIPELINE_LOCK, is_file_locked
from contract.lake import is_uri, resolved_location
from contract.object_store import is_on_object_store
from contract.polling import poll_until
from contract.process_life import is_alive
from contract.settings import Settings
from pipeline.spark.jvm import halt_spark

_CHECKPOINTS, _LAKE = "NEST_CHECKPOINTS", "NEST_LAKE"
_PROBE_S = 1.0
"""Longer than anybody holds a lock who only looks whether it is free."""
_JVM_ENDS_S = 20.0
"""How long the JVM of a pipeline that was killed may take to notice, and to end."""


@contextmanager
def pipeline_lock(settings: Settings) -> Iterator[None]:
    """Hold the locks of checkpoints and lake; UserError if another process holds one.

    Local folders have a lock file, each its own, since a command may be given another lake or
    other checkpoints than the pipeline has. The operating system frees it when this process and the
    JVM that it starts have ended, however they end: where this one is killed, its JVM still writes
    for a moment. It works between the containers of one machine, too. Folders of an object store
    have a lease. For URIs of other file systems there is no lock: there whoever starts the
    application has to see that only one runs.
    """
    with ExitStack() as locks:
        for place, setting in _places(settings).items():
            if not is_uri(place):
                locks.enter_context(_file_lock(Path(place), setting))
            elif is_on_object_store(place):
                from pipeline.single_writer.lease import Lease  # noqa: PLC0415 - only with an object store

                assert settings.object_store is not None  # noqa: S101
                locks.enter_context(Lease(settings.object_store, place, _end_at_once).held())
        yield


def is_locked(settings: Settings) -> bool:
    """Return whether a pipeline, or a command that excludes one, works with checkpoints or lake."""
    return any(_is_held(settings, place) for place in _places(settings))


def are_checkpoints_locked(settings: Settings) -> bool:
    """Return whether a pipeline, or a command that excludes one, works with the checkpoints."""
    return _is_held(settings, resolved_location(settings.checkpoints))


def _places(settings: Settings) -> dict[str, str]:
    """Return the folders of checkpoints and lake, with the setting that names each."""
    return {
        resolved_location(settings.checkpoints): _CHECKPOINTS,
        resolved_location(settings.lake): _LAKE,
    }


def _is_held(settings: Settings, place: str) -> bool:
    if not is_uri(place):
        return is_file_locked(Path(place) / PIPELINE_LOCK)
    if not is_on_object_store(place):
        return False
    from pipeline.single_writer.lease import lease_holder  # noqa: PLC0415 - only with an object store

    assert settings.object_store is not None  # noqa: S101
    return bool(lease_holder(settings.object_store, place))


def _end_at_once(reason: str) -> None:
    """End Spark and this process before another one begins to write; nothing is lost by that."""
    sys.stderr.write(f"The pipeline ends at once: {reason}. Nothing is lost: start it again.\n")
    sys.stderr.flush()
    halt_spark()
    os._exit(1)


@contextmanager
def _file_lock(folder: Path, setting: str) -> Iterator[None]:
    if setting == _LAKE and not folder.exists():
        # There is nothing to keep apart, and a command must not make a folder that was mistyped.
        yield
        return
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / PIPELINE_LOCK).open("a+") as file:
        if not _takes_lock(file):
            what = "lake" if setting == _LAKE else "checkpoints"
            raise UserError(
                f"Another pipeline, or a command that excludes one, works with the {what} in "
                f"{folder} (process {_holder(file) or 'unknown'}). Stop it first, or set {setting}."
            )
        os.set_inheritable(file.fileno(), True)  # the JVM holds the lock, too
        file.truncate(0)
        file.write(str(os.getpid()))
        file.flush()
        try:
            yield
        finally:
            fcntl.flock(file, fcntl.LOCK_UN)  # for the JVM, too, which may live on without Spark


def _takes_lock(file: IO[str]) -> bool:
    """Try to lock a file, for longer where who had locked it is gone and may have left its JVM."""

    def is_taken() -> bool:
        with suppress(BlockingIOError):
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return True
        return False

    with suppress(TimeoutError):
        return poll_until(is_taken, "the lock", _PROBE_S if _is_running(file) else _JVM_ENDS_S)
    return False


def _is_running(file: IO[str]) -> bool:
    """Tell whether the process that is named in a lock file runs."""
    holder = _holder(file)
    return holder.isdecimal() and is_alive(int(holder))


def _holder(file: IO[str]) -> str:
    """Return the id of the process that has locked a file; empty where it is not known."""
    file.seek(0)
    return file.read().strip()
