"""Which artifacts of Maven the project's jars are."""

import re
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from demo.stack.jars.checksums import expected_jars

_FILE = re.compile(r"(?P<artifact>.+?)-(?P<version>\d[\w.-]*)\.jar")
_SHADED = re.compile(r"(flink-shaded-[a-z]+-\d+)-(\d[\w.-]*)")
_GROUPS = {
    "RoaringBitmap": "org.roaringbitmap",
    "analyticsaccelerator-": "software.amazon.s3.analyticsaccelerator",
    "caffeine": "com.github.ben-manes.caffeine",
    "delta-": "io.delta",
    "flink-": "org.apache.flink",
    "hash4j": "com.dynatrace.hash4j",
    "icu4j": "com.ibm.icu",
    "jspecify": "org.jspecify",
    "jsr305": "com.google.code.findbugs",
    "kafka": "org.apache.kafka",
    "objenesis": "org.objenesis",
    "pcollections": "org.pcollections",
    "re2j": "com.google.re2j",
    "reactive-streams": "org.reactivestreams",
    "scala-logging": "com.typesafe.scala-logging",
    "scala-": "org.scala-lang",
    "snappy-java": "org.xerial.snappy",
    "third-party-jackson-core": "software.amazon.awssdk",
    "unitycatalog": "io.unitycatalog",
    "zstd-jni": "com.github.luben",
}
"""Groups of the jars that do not say it themselves, by how their names begin."""


class Jar(NamedTuple):
    """A jar by its coordinates, with its path in the jars' folder and its SHA-256."""

    group: str
    artifact: str
    version: str
    path: str
    sha256: str

    @property
    def purl(self) -> str:
        """The jar's package URL."""
        return f"pkg:maven/{self.group}/{self.artifact}@{self.version}"


def project_jars(folder: Path) -> Iterator[Jar]:
    """Yield the jars that the project was tested with; ``folder`` has them, or some of them."""
    for path, sha256 in sorted(expected_jars().items()):
        match = _FILE.fullmatch(Path(path).name)
        if match:
            artifact, version = match["artifact"], match["version"]
            # Spark's connector has a version of Scala and of Kafka's API in its name.
            if artifact.endswith("-kafka") and version.startswith("0-10_"):
                tail, _, version = version.rpartition("-")
                artifact = f"{artifact}-{tail}"
            # Flink's shaded jars have a number of the shaded project in their names, or not.
            if shaded := _SHADED.fullmatch(f"{artifact}-{version}"):
                artifact, version = shaded.groups()
            group = _own_group(folder / path, artifact) or _known_group(artifact)
            yield Jar(group, artifact, version, path, sha256)


def _own_group(jar: Path, artifact: str) -> str | None:
    """Return the group that a jar says it is of, if it is there and says so."""
    if not jar.exists():
        return None
    with zipfile.ZipFile(jar) as archive:
        for name in archive.namelist():
            words = name.split("/")
            if words[:2] == ["META-INF", "maven"] and words[3:] == [artifact, "pom.properties"]:
                return words[2]
    return None


def _known_group(artifact: str) -> str:
    starts = (group for start, group in _GROUPS.items() if artifact.startswith(start))
    return next(starts, "unknown")
