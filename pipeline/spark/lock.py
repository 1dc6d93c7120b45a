"""One pipeline at a time on the same checkpoints, and on the same lake of an object store."""

import fcntl
import os
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from pyspark import SparkContext

from contract.errors import UserError
from contract.object_store import is_on_object_store
from contract.settings import Settings
from pipeline.spark.jvm import current_jvm

LOCK_FILE = "pipeline.lock"


@contextmanager
def pipeline_lock(settings: Settings) -> Iterator[None]:
    """Hold the locks of checkpoints and lake; UserError if another process holds one.

    The operating system frees the lock of local checkpoints when the process ends, however it ends;
    it works between the containers of one machine, too. Folders of an object store have a lease.
    For URIs of other file systems there is no lock: there whoever starts the application has to see
    that only one runs.
    """
    with ExitStack() as locks:
        if "://" not in settings.checkpoints:
            locks.enter_context(_file_lock(settings))
        for folder in _leased(settings):
            from pipeline.spark.lease import Lease  # noqa: PLC0415 - only with an object store

            assert settings.object_store is not None  # noqa: S101
            locks.enter_context(Lease(settings.object_store, folder, _end_at_once).held())
        yield


def is_locked(settings: Settings) -> bool:
    """Return whether a pipeline, or a command that excludes one, works with checkpoints or lake."""
    if "://" not in settings.checkpoints and _is_file_locked(settings):
        return True
    for folder in _leased(settings):
        from pipeline.spark.lease import lease_holder  # noqa: PLC0415 - only with an object store

        assert settings.object_store is not None  # noqa: S101
        if lease_holder(settings.object_store, folder):
            return True
    return False


def _leased(settings: Settings) -> list[str]:
    """Return the folders that have a lease, each once."""
    folders = (settings.checkpoints.rstrip("/"), settings.lake.rstrip("/"))
    return [folder for folder in dict.fromkeys(folders) if is_on_object_store(folder)]


def _end_at_once(reason: str) -> None:
    """End Spark and this process before another one begins to write; nothing is lost by that."""
    sys.stderr.write(f"The pipeline ends at once: {reason}. Nothing is lost: start it again.\n")
    sys.stderr.flush()
    if jvm := current_jvm():
        jvm.kill()
    elif context := SparkContext._active_spark_context:  # one that spark-submit has started
        with suppress(Exception):
            context._jvm.java.lang.Runtime.getRuntime().halt(1)  # type: ignore[union-attr]
    os._exit(1)


@contextmanager
def _file_lock(settings: Settings) -> Iterator[None]:
    folder = Path(settings.checkpoints)
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / LOCK_FILE).open("a+") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            file.seek(0)
            raise UserError(
                f"Another pipeline works with the checkpoints in {settings.checkpoints} (process "
                f"{file.read().strip() or 'unknown'}). Stop it first, or set NEST_CHECKPOINTS."
            ) from None
        file.truncate(0)
        file.write(str(os.getpid()))
        file.flush()
        yield


def _is_file_locked(settings: Settings) -> bool:
    file = Path(settings.checkpoints) / LOCK_FILE
    if not file.exists():
        return False
    with file.open("a") as opened:
        try:
            fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
    return False
