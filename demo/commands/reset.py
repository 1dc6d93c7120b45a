"""`nest reset`: remove what runs left behind, and nothing that they did not make."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path

from contract.atomic_write import unfinished_pattern
from contract.checkpoint_sidecars import FIRST_START, CheckpointSidecar, MaintenanceFile
from contract.errors import UserError
from contract.file_lock import PIPELINE_LOCK, is_file_locked
from contract.lake import FORGOTTEN_FILE, SET_ASIDE, TABLES
from contract.last_check import LAST_CHECK_FILE
from contract.quantities import format_quantity
from contract.queries import Query
from contract.settings import Settings
from demo.cluster.s3proxy import S3PROXY_FILE
from demo.commands.scratch_demo import SCRATCH_DEMOS
from demo.stack.addresses import ADDRESSES
from demo.stack.device_locations import OWN_TABLES
from demo.stack.disk_usage import bytes_used, format_disk_space
from demo.stack.exclusive_commands import ExclusiveCommand
from demo.stack.held_services import HELD_FILE
from demo.stack.jars.lock import locked_jars
from demo.stack.kafka_java import KafkaFolderFile, is_formatted, is_storage_in_use
from demo.stack.removal import mark_for_removal, marked_in, remove_folder
from demo.stack.run_lock import RunLock, lock_file
from demo.stack.security.credentials import AUTHORITY, USERS, SecretFile, credentials

_STATE_FILES = (
    *(each.lock for each in ExclusiveCommand),
    *map(lock_file, ExclusiveCommand),
    HELD_FILE,
    *(each.file for each in ADDRESSES.values()),
    LAST_CHECK_FILE,
    OWN_TABLES,
)
_SMALL_BYTES = 1_000_000
_LOGS = ("kafka", "producer", "pipeline", "dashboard", "metrics", "jars")
_FOLDERS = ("kafka", "lake", "checkpoints", "logs", "run", "jars", "security", AUTHORITY, *USERS)
_DELTA_LOG = "_delta_log"
_TABLE_FILE = re.compile(r"_delta_log|_change_data|.*\.(parquet|bin|crc)")
"""What Delta keeps at the top of a table's folder; the first is in each."""
_CHECKPOINT_FILE = re.compile(r"metadata|commits|offsets|sources|state|\..*\.crc")
"""What Spark keeps at the top of a query's checkpoint."""


def find_leftovers(settings: Settings, everything: bool) -> dict[Path, int]:
    """Return what runs left behind, with its size in bytes; with ``everything`` the jars, too.

    Only what is known to be the demo's is returned: other files in the same folders stay, even
    where NEST_STATE or NEST_LAKE is a folder of the user's. A lake or checkpoints given as a URI
    are on another machine and stay. Raises UserError while a demo, or a part of one, runs.
    """
    require_nothing_runs(settings)
    state, run = settings.state, settings.state / "run"
    names = (*_STATE_FILES, *map(unfinished_pattern, _STATE_FILES))
    found = [path for name in names for path in state.glob(name)]
    for root in (state, run):
        if _has_broker(root):
            found += [root / "kafka" / name for name in KafkaFolderFile]
            found += (root / "kafka").glob(unfinished_pattern(KafkaFolderFile.SEED))
        if _has_broker(root) or (root / "jars" / "broker").is_dir():
            found += [root / "logs" / f"{log}{end}" for log in _LOGS for end in (".log", ".1.log")]
    for lake in _lakes(settings):
        found += [lake / name for name in TABLES if _is_table(lake / name)]
        found += [aside for name in TABLES for aside in sorted(lake.glob(f"{name}{SET_ASIDE}*"))]
        found += [lake / name for name in (FORGOTTEN_FILE, f".{FORGOTTEN_FILE}.crc", PIPELINE_LOCK)]
    for root in _checkpoint_roots(settings):
        found += _checkpoints(root)
    security = credentials(settings).folder
    found += [security / user / name for user in (AUTHORITY, *USERS) for name in SecretFile]
    found += [state / name for name in SCRATCH_DEMOS if _has_broker(state / name)]
    if _is_empty(state / "spark-warehouse"):
        found.append(state / "spark-warehouse")
    if (state / "cluster" / "store" / S3PROXY_FILE).exists():
        found.append(state / "cluster")
    found += _jars(state / "jars") if everything else []
    found += _cut_off(settings)
    existing = {path.parent.resolve() / path.name for path in found if _exists(path)}
    return {path: _size(path) for path in sorted(existing)}


def leftovers_lines(found: Mapping[Path, int]) -> Iterator[str]:
    """Yield a line for each large file or folder, one for the small ones of a folder, and the sum.

    The largest come first; ``found`` has the sizes in bytes.
    """
    small: defaultdict[Path, list[int]] = defaultdict(list)
    lines = []
    for path, size in found.items():
        if size < _SMALL_BYTES:
            small[path.parent].append(size)
        else:
            lines.append((size, str(path)))
    for folder, sizes in small.items():
        lines.append((sum(sizes), f"{folder}: {format_quantity(len(sizes), 'small file')}"))
    for size, what in sorted(lines, reverse=True):
        yield f"{format_disk_space(size):>10}  {what}"
    yield f"{format_disk_space(sum(found.values())):>10}  in all"


def require_nothing_runs(settings: Settings) -> None:
    """Raise UserError if something that runs has its files where `nest reset` removes them.

    Kafka and the pipeline are asked by the locks that they hold themselves: they may have been
    started one by one, or by a demo with its state in another folder.
    """
    for command in ExclusiveCommand:
        RunLock(settings.state, command).require_free()
    for root in (settings.state, *(settings.state / name for name in ("run", *SCRATCH_DEMOS))):
        if is_storage_in_use(root / "kafka" / "log"):
            raise UserError(f"Kafka is running on {root / 'kafka'}. Stop it first.")
    for what, roots in (("checkpoints", _checkpoint_roots), ("lake", _lakes)):
        for root in roots(settings):
            if is_file_locked(root / PIPELINE_LOCK):
                raise UserError(f"A pipeline works with the {what} in {root}. Stop it first.")


def remove(paths: list[Path]) -> None:
    """Remove files and folders, and the folders around them that are empty then."""
    folders = set()
    # In this order Kafka's log goes after the other files of Kafka, which are known by it.
    for path in sorted(paths, reverse=True):
        if path.is_dir() and not path.is_symlink():
            folders.add(mark_for_removal(path))
        else:
            path.unlink()
    for folder in folders:
        remove_folder(folder)
    around = {path.parent for path in paths} | {path.parent.parent for path in paths}
    for folder in sorted(around, key=lambda folder: len(folder.parts), reverse=True):
        is_ours = folder.name in _FOLDERS and folder != Path.cwd()
        if is_ours and _is_empty(folder):
            folder.rmdir()


def _has_broker(root: Path) -> bool:
    """Return whether the embedded Kafka keeps its log below a folder."""
    return is_formatted(root / "kafka" / "log")


def _checkpoint_roots(settings: Settings) -> set[Path]:
    """Return where checkpoints may be; of a URI, a path that does not exist."""
    state = settings.state
    return {Path(settings.checkpoints), state / "checkpoints", state / "run" / "checkpoints"}


def _lakes(settings: Settings) -> set[Path]:
    """Return where tables may be; of a URI, a path that does not exist."""
    return {Path(settings.lake), settings.state / "lake", settings.state / "run" / "lake"}


def _checkpoints(root: Path) -> Iterator[Path]:
    """Yield each query's checkpoint, and what the pipeline keeps beside it."""
    for query in Query:
        if _is_checkpoint(root / query):
            yield root / query
        for what in CheckpointSidecar:
            yield from (root / f"{query}.{what}", root / f".{query}.{what}.crc")
    yield from (root / FIRST_START, root / f".{FIRST_START}.crc", root / PIPELINE_LOCK)
    for kind in MaintenanceFile:
        yield from root.glob(f"{kind}*")


def _cut_off(settings: Settings) -> Iterator[Path]:
    """Yield what a removal that was cut off has left."""
    state = settings.state
    kafka = {state / "kafka", state / "run" / "kafka"}
    for parent in {state, *kafka, *_lakes(settings), *_checkpoint_roots(settings)}:
        yield from marked_in(parent)


def _is_table(folder: Path) -> bool:
    return (folder / _DELTA_LOG).is_dir() and _holds_only(folder, _TABLE_FILE)


def _is_checkpoint(folder: Path) -> bool:
    is_begun = (folder / "metadata").exists() or (folder / "offsets").is_dir()
    return is_begun and _holds_only(folder, _CHECKPOINT_FILE)


def _jars(folder: Path) -> Iterator[Path]:
    """Yield the folders of jars that hold nothing else, and ours in the others."""
    if folder.is_symlink():  # the jars are another demo's
        return
    yield folder / ".made"
    yield from marked_in(folder)
    jars = locked_jars()
    ours = {jar.path for jar in jars}
    for name in sorted({jar.set for jar in jars if (folder / jar.set).is_dir()}):
        part = folder / name
        found = [path for path in part.iterdir() if f"{name}/{path.name}" in ours]
        found += part.glob("classes-*.jsa")
        yield from [part] if len(found) == len(list(part.iterdir())) else found


def _holds_only(folder: Path, known: re.Pattern[str]) -> bool:
    return all(known.fullmatch(path.name) for path in folder.iterdir())


def _is_empty(folder: Path) -> bool:
    return folder.is_dir() and not any(folder.iterdir())


def _exists(path: Path) -> bool:
    return path.exists() or path.is_symlink()


def _size(path: Path) -> int:
    return bytes_used(path) if path.is_dir() else path.lstat().st_size
