"""Whether a manifest is what Kubernetes, or Strimzi's definition of its kind, takes."""

from functools import cache
from typing import Any

import kubernetes_validate
import yaml
from jsonschema import Draft202012Validator

from tests.kubernetes.rendering import Manifest
from tools.strimzi_schemas import folder

VERSIONS = ("1.30", "1.37")
"""The Kubernetes for which the manifests are checked: the oldest and the newest of both."""


def problems(manifest: Manifest) -> list[str]:
    """Return what is wrong with a manifest, unknown fields included; nothing is well."""
    if manifest["apiVersion"].startswith("kafka.strimzi.io/"):
        found = Draft202012Validator(_strimzi(manifest["kind"])).iter_errors(manifest)
        return [f"{each.json_path}: {each.message}" for each in found]
    return [problem for version in VERSIONS if (problem := _core_problem(manifest, version))]


def _core_problem(manifest: Manifest, version: str) -> str | None:
    try:
        kubernetes_validate.validate(manifest, version, strict=True)
    except kubernetes_validate.ValidationError as error:
        return f"Kubernetes {version}: {error.message}"
    return None


@cache
def _strimzi(kind: str) -> Any:
    definition = yaml.safe_load((folder() / f"{kind}.yaml").read_text())
    (version,) = (each for each in definition["spec"]["versions"] if each["served"])
    schema = _closed(version["schema"]["openAPIV3Schema"])
    schema["properties"]["apiVersion"] = {"const": f"kafka.strimzi.io/{version['name']}"}
    schema["properties"]["kind"] = {"const": kind}
    return schema


def _closed(schema: Any) -> Any:
    """Return a schema that refuses unknown fields, as Kubernetes does with strict validation."""
    if isinstance(schema, list):
        return [_closed(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    closed = {name: _closed(value) for name, value in schema.items()}
    has_all = isinstance(schema.get("properties"), dict) and schema.get("type") == "object"
    if has_all and not schema.get("x-kubernetes-preserve-unknown-fields"):
        closed.setdefault("additionalProperties", False)
    return closed
