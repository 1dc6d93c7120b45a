"""The manifests as Kustomize renders them, and what they are made of."""

import os
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import yaml

FOLDER = Path(__file__).parents[2] / "kubernetes"
PODS = {"Deployment", "StatefulSet", "Job"}
"""The kinds that have a pod."""

Manifest = dict[str, Any]


@cache
def kustomize() -> list[str] | None:
    """Return the command that renders a folder; None if there is none (tests/kustomize.sh)."""
    path = os.pathsep.join([os.environ["PATH"], str(FOLDER.parent / ".venv" / "kustomize")])
    if found := shutil.which("kustomize", path=path):
        return [found, "build"]
    if found := shutil.which("kubectl"):
        version = subprocess.run(
            [found, "version", "--client"], capture_output=True, text=True, check=False
        )
        if "Kustomize Version: v5" in version.stdout:
            return [found, "kustomize"]
    return None


@cache
def render(overlay: str) -> list[Manifest]:
    """Return all manifests of an overlay."""
    command = [*(kustomize() or ()), str(FOLDER / overlay)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return list(yaml.safe_load_all(done.stdout))


def of_kind(manifests: list[Manifest], *kinds: str) -> list[Manifest]:
    return [each for each in manifests if each["kind"] in kinds]


def named(manifests: list[Manifest], kind: str, name: str) -> Manifest:
    (found,) = (each for each in of_kind(manifests, kind) if each["metadata"]["name"] == name)
    return found


def pods(manifests: list[Manifest]) -> dict[str, Manifest]:
    """Return the specification of each pod by the name of what makes it, and of the executors."""
    found = {
        each["metadata"]["name"]: each["spec"]["template"]["spec"]
        for each in of_kind(manifests, *PODS)
    }
    return {**found, "executor": executor(manifests)["spec"]}


def executor(manifests: list[Manifest]) -> Manifest:
    """Return the template of the executors' pods."""
    (text,) = (
        each["data"]["executor.yaml"]
        for each in of_kind(manifests, "ConfigMap")
        if "executor.yaml" in each["data"]
    )
    template: Manifest = yaml.safe_load(text)
    return template


def config_maps(manifests: list[Manifest]) -> dict[str, Mapping[str, str]]:
    return {each["metadata"]["name"]: each["data"] for each in of_kind(manifests, "ConfigMap")}


def settings(manifests: list[Manifest], pod: Manifest) -> dict[str, str]:
    """Return a pod's variables NEST_…; a value from a secret is the text ``secret``."""
    container = pod["containers"][0]
    found: dict[str, str] = {}
    for source in container.get("envFrom", []):
        found |= config_maps(manifests)[source["configMapRef"]["name"]]
    found |= {each["name"]: each.get("value", "secret") for each in container.get("env", [])}
    return {name: value for name, value in found.items() if name.startswith("NEST_")}


def mounted_files(pod: Manifest) -> Iterator[str]:
    """Yield the path of each file that a pod's first container gets from a secret or ConfigMap."""
    volumes = {each["name"]: each for each in pod["volumes"]}
    for mount in pod["containers"][0]["volumeMounts"]:
        for source in volumes.get(mount["name"], {}).get("projected", {}).get("sources", []):
            for item in source["secret"]["items"]:
                yield f"{mount['mountPath']}/{item['path']}"
