"""``python -m tools.lock_jars``: find what ivy.xml's jars need, and write jars.lock.

It takes some minutes: Ivy asks for hundreds of POMs, one after the other.
"""

from pathlib import Path
from tempfile import TemporaryDirectory

from rich.progress import Progress

from contract.errors import UserError
from contract.settings import load_settings
from demo.stack.jars.ivy import retrieve
from demo.stack.jars.lock import (
    DEMO,
    FLINK,
    S3A,
    S3PROXY,
    STRIMZI,
    WANTED,
    Jar,
    sha256_of,
    write_lock,
)

_SETS = (*DEMO, S3A, S3PROXY, FLINK, STRIMZI)
_PATTERN = "[conf]/[organisation]/[artifact]/[revision]/x.jar"


def main() -> None:
    """Write jars.lock."""
    try:
        _lock()
    except UserError as error:
        raise SystemExit(str(error)) from None


def _lock() -> None:
    log = load_settings().state / "logs" / "jars.log"
    with TemporaryDirectory() as scratch, Progress() as bar:
        task = bar.add_task("Finding the jars", total=None)
        pattern = f"{scratch}/{_PATTERN}"
        for done in retrieve(WANTED, _SETS, pattern, log, transitive=True):
            bar.update(task, completed=done)
        write_lock(_jar(file, Path(scratch)) for file in Path(scratch).rglob("*.jar"))


def _jar(file: Path, scratch: Path) -> Jar:
    of, group, artifact, version, _ = file.relative_to(scratch).parts
    return Jar(of, group, artifact, version, sha256_of(file))


if __name__ == "__main__":
    main()
