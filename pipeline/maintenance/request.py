"""How `nest maintain` asks a running pipeline for maintenance: by files beside the checkpoints.

Each request has a file of its own and so has its result, so that several may wait.
"""

import math
import time
import uuid
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from pydantic import TypeAdapter

from contract.atomic_write import write_atomically
from contract.checkpoint_sidecars import MaintenanceFile
from contract.errors import UserError
from contract.lake import is_uri
from contract.polling import poll_until
from contract.settings import Settings
from contract.typed_json import decode_json
from pipeline.maintenance.maintain import Maintained
from pipeline.single_writer.lock import are_checkpoints_locked
from pipeline.spark.failures import root_cause

T = TypeVar("T")

TAKEN_WITHIN_S = 300.0
"""How long the command waits for a pipeline that takes a request: one may be maintaining the tables
by itself."""
TIMEOUT_S = 3600.0
"""How long it waits for the result; a pipeline that has taken the request goes on in any case."""


@dataclass(frozen=True)
class MaintenanceRequest:
    """A request, and the hours of history that its VACUUM keeps."""

    id: str
    retention_hours: int


@dataclass(frozen=True)
class MaintenanceResult:
    """What became of a request: the tables, or why none was maintained."""

    tables: list[Maintained] = field(default_factory=list)
    error: str | None = None


_REQUEST, _RESULT = TypeAdapter(MaintenanceRequest), TypeAdapter(MaintenanceResult)


def request_maintenance(
    settings: Settings,
    retention_hours: int,
    *,
    taken_within: float = TAKEN_WITHIN_S,
    timeout: float = TIMEOUT_S,
) -> list[Maintained]:
    """Ask the running pipeline to maintain the tables, and wait until it has.

    Raises UserError if the pipeline refuses, ends meanwhile, has taken no request after
    ``taken_within`` seconds, or takes longer than ``timeout`` seconds.
    """
    if is_uri(settings.checkpoints):
        raise UserError(
            f"A pipeline or another command works with {settings.checkpoints}. A pipeline "
            "maintains the tables itself, every NEST_MAINTENANCE_INTERVAL; to do it by hand, stop "
            "it first."
        )
    request = MaintenanceRequest(uuid.uuid4().hex, retention_hours)
    asked, taken, answered = (_file(settings, kind + request.id) for kind in MaintenanceFile)
    ends_at = time.monotonic() + taken_within

    def result() -> MaintenanceResult | None:
        is_running = are_checkpoints_locked(settings)  # asked first: it may answer and then end
        if found := _read(answered, _RESULT):
            return found
        if not is_running:
            raise UserError("The pipeline ended before the maintenance. Run the command again.")
        if time.monotonic() > ends_at and asked.exists() and not _is_one_under_way(settings):
            with suppress(FileNotFoundError):  # it was taken just now
                asked.unlink()
                raise UserError(
                    f"No pipeline has taken the request within {taken_within:g} s. If another "
                    f"`nest` command works with {settings.checkpoints}, or the pipeline maintains "
                    "the tables by itself, wait for its end, and run this again."
                )
        return None

    write_atomically(asked, _REQUEST.dump_json(request).decode())
    try:
        found = poll_until(result, "the pipeline's maintenance", timeout, 0.2)
    except TimeoutError as error:
        raise UserError(f"{error}. The pipeline goes on with it.") from None
    finally:
        for file in (asked, taken, answered):
            file.unlink(missing_ok=True)
    assert found is not None  # noqa: S101 - poll_until returns what is true
    if found.error is not None:
        raise UserError(found.error)
    return found.tables


def _is_one_under_way(settings: Settings) -> bool:
    """Tell whether the pipeline works on a request; others wait for that long."""
    return any(Path(settings.checkpoints).glob(f"{MaintenanceFile.TAKEN}*"))


def return_taken_requests(settings: Settings) -> None:
    """Let the requests wait again that a pipeline had taken, and was killed before it answered.

    To be called by who holds the lock of the checkpoints, before it takes a request.
    """
    if is_uri(settings.checkpoints):
        return
    for taken in Path(settings.checkpoints).glob(f"{MaintenanceFile.TAKEN}*"):
        with suppress(FileNotFoundError):  # who asked has taken it back
            taken.rename(_renamed(taken, MaintenanceFile.TAKEN, MaintenanceFile.REQUEST))


def next_request(settings: Settings) -> MaintenanceRequest | None:
    """Return the request that has waited longest, and mark it as taken; None without one.

    Raises UserError for a document that is no request; it is deleted.
    """
    if is_uri(settings.checkpoints):
        return None
    waiting = sorted(
        Path(settings.checkpoints).glob(f"{MaintenanceFile.REQUEST}*"), key=_written_at
    )
    if not waiting:
        return None
    taken = _renamed(waiting[0], MaintenanceFile.REQUEST, MaintenanceFile.TAKEN)
    try:
        waiting[0].rename(taken)
    except FileNotFoundError:  # who asked has taken it back
        return None
    if request := _read(taken, _REQUEST):
        return request
    taken.unlink(missing_ok=True)
    raise UserError(f"{waiting[0]} was no request of `nest maintain`.")


def _written_at(file: Path) -> float:
    try:
        return file.stat().st_mtime
    except FileNotFoundError:
        return math.inf


def answer(
    settings: Settings, request: MaintenanceRequest, maintain: Callable[[int], list[Maintained]]
) -> None:
    """Do what a request asks for, and leave the result for whoever waits for it still."""
    try:
        result = MaintenanceResult(maintain(request.retention_hours))
    except UserError as error:
        result = MaintenanceResult(error=str(error))
    except Exception as error:  # whoever waits for the result has to hear of it, too
        result = MaintenanceResult(error=f"Maintenance failed: {root_cause(error)}")
    answered = _file(settings, MaintenanceFile.RESULT + request.id)
    write_atomically(answered, _RESULT.dump_json(result).decode())
    try:
        _file(settings, MaintenanceFile.TAKEN + request.id).unlink()
    except FileNotFoundError:  # who asked has taken it back, and waits for no answer
        answered.unlink(missing_ok=True)


def _file(settings: Settings, name: str) -> Path:
    return Path(settings.checkpoints) / name


def _renamed(file: Path, was: MaintenanceFile, becomes: MaintenanceFile) -> Path:
    return file.with_name(file.name.replace(was, becomes, 1))


def _read(file: Path, adapter: TypeAdapter[T]) -> T | None:
    try:
        return decode_json(adapter, file.read_bytes())
    except (OSError, ValueError):  # none, or torn by a kill
        return None
