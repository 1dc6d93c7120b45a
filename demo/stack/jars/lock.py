"""The jars that this project was tested with: jars.lock, which `make lock` writes."""

import hashlib
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import NamedTuple

LOCK = Path(__file__).with_name("jars.lock")
"""A line for each jar: SHA-256, set, group:artifact:version."""
DEMO = ("spark", "broker")
"""The sets that the demo on one machine needs."""
S3A = "s3a"
"""The set with which Spark reaches an object store."""
S3PROXY = "s3proxy"
"""The set that is an object store, to try it on one machine."""
FLINK = "flink"
"""The set that is Flink SQL, which the benchmark compares this project with."""
STRIMZI = "strimzi"
"""The set that makes Strimzi's schemas, for the tests of the manifests."""


class Jar(NamedTuple):
    """A jar by the set that it is of, its coordinates in Maven and its SHA-256."""

    set: str
    group: str
    artifact: str
    version: str
    sha256: str

    @property
    def path(self) -> str:
        """Its path in the jars' folder, such as ``spark/x-1.0.jar``."""
        return f"{self.set}/{self.artifact}-{self.version}.jar"

    @property
    def purl(self) -> str:
        """Its package URL."""
        return f"pkg:maven/{self.group}/{self.artifact}@{self.version}"


def locked_jars(sets: Collection[str] | None = None) -> list[Jar]:
    """Return the jars of some sets; by default all."""
    jars = []
    for line in LOCK.read_text().splitlines():
        sha256, of, coordinates = line.split()
        if sets is None or of in sets:
            group, artifact, version = coordinates.split(":")
            jars.append(Jar(of, group, artifact, version, sha256))
    return jars


def write_lock(jars: Iterable[Jar]) -> None:
    """Make jars.lock list these jars and no others."""
    lines = (
        f"{jar.sha256} {jar.set} {jar.group}:{jar.artifact}:{jar.version}\n" for jar in sorted(jars)
    )
    LOCK.write_text("".join(lines))


def jar_problems(folder: Path, sets: Collection[str] = DEMO) -> dict[str, str]:
    """Compare the folder with the lock; return what is wrong, by the jar's path.

    Reads all of the jars, 67 MB, in a fraction of a second. A jar that is not in the lock counts
    as wrong as well: it would be on the class path.
    """
    problems = {}
    locked = {jar.path: jar for jar in locked_jars(sets)}
    for path, jar in locked.items():
        if not (folder / path).exists():
            problems[path] = "missing"
        elif sha256_of(folder / path) != jar.sha256:
            problems[path] = "not what it should be (its SHA-256 differs from jars.lock)"
    for name in sets:
        for file in (folder / name).glob("*.jar"):
            if f"{name}/{file.name}" not in locked:
                problems[f"{name}/{file.name}"] = "not one of the project's jars"
    return problems


def sha256_of(file: Path) -> str:
    """Return the checksum of a file, in hexadecimal digits."""
    with file.open("rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()
