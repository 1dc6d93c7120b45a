"""Class data sharing: Java maps a program's classes into memory from a file, and starts sooner.

A start of Spark or Kafka is for the most part Java that reads thousands of classes from jars and
verifies them. Java can write them to a file, an archive, as it ends, and use it at the next start
(JEP 350, Java 13). An archive fits one Java and one list of jars.
"""

import hashlib
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from contract.errors import UserError
from contract.java import java_command
from contract.process_life import is_alive

_SILENT = ("-Xlog:cds=off", "-Xlog:cds+dynamic=off", "-Xlog:class+path=off")


def class_archive_path(folder: Path, *other_folders: Path) -> Path:
    """Return where in a folder the archive for this Java and the jars of all folders would be."""
    folder = folder.resolve()
    return folder / f"classes-{_fingerprint((folder, *other_folders))}.jsa"


def options_to_use_archive(archive: Path) -> list[str]:
    """Return the options with which Java uses an archive; none if there is no archive."""
    return [f"-XX:SharedArchiveFile={archive}", *_SILENT] if archive.exists() else []


def options_to_write_archive(archive: Path) -> list[str]:
    """Return the options with which Java writes an archive as it ends."""
    return [f"-XX:ArchiveClassesAtExit={archive}", "-Xlog:disable"]


@contextmanager
def new_class_archive(archive: Path) -> Iterator[Path]:
    """Yield where Java is to write an archive; former ones, of other jars or Java, are deleted.

    So are those that were not finished. Another process may write the same archive meanwhile.
    Raises UserError if Java has written none.
    """
    for former in archive.parent.glob("classes-*.jsa"):
        former.unlink(missing_ok=True)
    for unfinished in archive.parent.glob("classes-*.part"):
        if not _is_being_written(unfinished):
            unfinished.unlink(missing_ok=True)
    part = archive.with_suffix(f".{os.getpid()}.part")
    try:
        yield part
        if not part.exists():
            raise UserError(
                f"{java_command()} has written no archive of classes. Perhaps this Java has no "
                "archive of its own classes; `java -Xshare:dump` writes that one, as the owner of "
                "the Java."
            )
        part.replace(archive)
    finally:
        part.unlink(missing_ok=True)


def _is_being_written(part: Path) -> bool:
    """Tell whether another process still runs whose id the name has."""
    process = int(part.suffixes[-2].removeprefix("."))
    return process != os.getpid() and is_alive(process)


def _fingerprint(folders: tuple[Path, ...]) -> str:
    """Return a digest of what Java compares before it uses an archive: itself and the jars."""
    release = Path(java_command()).resolve().parents[1] / "release"
    jars = sorted(path for folder in folders for path in folder.glob("*.jar"))
    files = [(str(jar), *_size_and_time(jar)) for jar in jars]
    text = f"{release.read_text() if release.exists() else release} {files}"
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def _size_and_time(jar: Path) -> tuple[int, int]:
    """Return a jar's size in bytes, and when it was written in whole seconds, as Java does.

    An image that is saved and loaded keeps no fractions of a second.
    """
    found = jar.stat()
    return found.st_size, int(found.st_mtime)
