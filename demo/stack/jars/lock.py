"""The jars that this project was tested with: jars.lock, which `make lock` writes."""

import hashlib
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import NamedTuple

LOCK = Path(__file__).with_name("jars.lock")
"""The SHA-256 of ivy.xml, then a line for each jar: SHA-256, set, group:artifact:version."""
WANTED = Path(__file__).with_name("ivy.xml")
"""What the project asks for, without what that needs."""
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

    def problem(self, folder: Path) -> str | None:
        """Return what is wrong with its file in a folder of jars; None if it is the right one."""
        file = folder / self.path
        if not file.exists():
            return "missing"
        if sha256_of(file) != self.sha256:
            return "not what it should be (its SHA-256 differs from jars.lock)"
        return None

    @property
    def purl(self) -> str:
        """Its package URL."""
        return f"pkg:maven/{self.group}/{self.artifact}@{self.version}"


def locked_jars(sets: Collection[str] | None = None) -> list[Jar]:
    """Return the jars of some sets; by default all."""
    jars = []
    for line in LOCK.read_text().splitlines()[1:]:
        sha256, of, coordinates = line.split()
        if sets is None or of in sets:
            group, artifact, version = coordinates.split(":")
            jars.append(Jar(of, group, artifact, version, sha256))
    return jars


def write_lock(jars: Iterable[Jar], lock: Path = LOCK) -> None:
    """Make jars.lock list these jars and no others, as what ivy.xml asks for now."""
    lines = (
        f"{jar.sha256} {jar.set} {jar.group}:{jar.artifact}:{jar.version}\n" for jar in sorted(jars)
    )
    lock.write_text(f"{sha256_of(WANTED)} {WANTED.name}\n" + "".join(lines))


def is_lock_current() -> bool:
    """Tell whether jars.lock was written from ivy.xml as it is now."""
    return LOCK.read_text().split(maxsplit=1)[0] == sha256_of(WANTED)


def jar_problems(folder: Path, sets: Collection[str] = DEMO) -> dict[str, str]:
    """Compare the folder with the lock; return what is wrong, by the jar's path.

    Reads all of the jars, 67 MB, in a fraction of a second. A jar that is not in the lock counts
    as wrong as well: it would be on the class path.
    """
    locked = {jar.path: jar for jar in locked_jars(sets)}
    problems = {path: problem for path, jar in locked.items() if (problem := jar.problem(folder))}
    for name in sets:
        for file in (folder / name).glob("*.jar"):
            if f"{name}/{file.name}" not in locked:
                problems[f"{name}/{file.name}"] = "not one of the project's jars"
    return problems


def sha256_of(file: Path) -> str:
    """Return the checksum of a file, in hexadecimal digits."""
    with file.open("rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()
