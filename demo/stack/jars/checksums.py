"""The jars that this project was tested with, by name and SHA-256."""

import hashlib
from collections.abc import Collection
from pathlib import Path

_LIST = Path(__file__).with_name("jars.sha256")
DEMO = ("spark", "broker")
"""The groups that the demo on one machine needs."""
S3A = "s3a"
"""The group with which Spark reaches an object store."""
S3PROXY = "s3proxy"
"""The group that is an object store, to try it on one machine."""
FLINK = "flink"
"""The group that is Flink SQL, which the benchmark compares this project with."""


def expected_jars() -> dict[str, str]:
    """Return the checksum of each jar by its path in the jars' folder, such as ``spark/x.jar``."""
    lines = (line.split() for line in _LIST.read_text().splitlines())
    return {path: checksum for checksum, path in lines}


def jars_of(groups: Collection[str]) -> dict[str, str]:
    """Return the checksum of each jar of some groups by its path in the jars' folder."""
    return {path: sha for path, sha in expected_jars().items() if path.split("/")[0] in groups}


def jar_problems(folder: Path, confs: tuple[str, ...] = DEMO) -> dict[str, str]:
    """Compare the folder with the list; return what is wrong, by the jar's path.

    Reads all of the jars, 67 MB, in a fraction of a second. A jar that is not in the list counts
    as wrong as well: it would be on the class path.
    """
    problems = {}
    expected = jars_of(confs)
    for path, checksum in expected.items():
        jar = folder / path
        if not jar.exists():
            problems[path] = "missing"
        elif _sha256(jar) != checksum:
            problems[path] = "not what it should be (its SHA-256 differs from jars.sha256)"
    for conf in confs:
        for jar in (folder / conf).glob("*.jar"):
            if f"{conf}/{jar.name}" not in expected:
                problems[f"{conf}/{jar.name}"] = "not one of the project's jars"
    return problems


def _sha256(file: Path) -> str:
    with file.open("rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()
