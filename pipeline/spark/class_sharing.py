"""Class data sharing for Spark's JVM, with which it starts in two thirds of the time.

A start of Spark is for the most part Java that reads some twenty thousand classes from jars and
verifies them. Java can write them to a file as it ends and map that file into memory at the next
start (JEP 350, Java 13). Such an archive fits one Java and one list of jars.
"""

import hashlib
from pathlib import Path

import pyspark

from contract.java import java_command, quoted
from contract.settings import Settings

_SILENT = ("-Xlog:cds=off", "-Xlog:cds+dynamic=off", "-Xlog:class+path=off")


def archive_file(settings: Settings) -> Path:
    """Return where the archive for this Java and these jars is, or would be."""
    return settings.spark_jars.resolve() / f"classes-{_fingerprint(settings)}.jsa"


def class_sharing_options(settings: Settings) -> list[str]:
    """Return the options with which Java uses the archive; none if there is no archive."""
    file = archive_file(settings)
    return [quoted(f"-XX:SharedArchiveFile={file}"), *_SILENT] if file.exists() else []


def _fingerprint(settings: Settings) -> str:
    """Return a digest of what Java compares before it uses an archive: itself and the jars."""
    release = Path(java_command()).resolve().parents[1] / "release"
    folders = (settings.spark_jars.resolve(), Path(pyspark.__file__).parent / "jars")
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
