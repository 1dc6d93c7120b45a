"""The Kubernetes manifests: as rendered, against the schemas, and against the project itself."""

import re
from copy import deepcopy

import pytest
import yaml

from contract.kafka.acls import RIGHTS
from contract.settings import Settings
from contract.topics import NEST_LOGS
from tests.kubernetes.rendering import (
    FOLDER,
    Manifest,
    config_maps,
    executor,
    kustomize,
    mounted_files,
    named,
    of_kind,
    pods,
    render,
    settings,
)
from tests.kubernetes.schemas import problems
from tools.strimzi_schemas import KINDS, folder

ROOT = FOLDER.parent
MADE_ELSEWHERE = {
    "object-store",  # by whoever installs it, as docs/kubernetes.md says
    "nest-cluster-ca-cert",  # by Strimzi, as the next ones
    *(f"kafka-{user}" for user in RIGHTS),
}
"""Secrets that no manifest has: no password is in a file."""

pytestmark = [
    pytest.mark.skipif(kustomize() is None, reason="there is neither kustomize nor kubectl"),
    pytest.mark.skipif(
        not all((folder() / f"{kind}.yaml").exists() for kind in KINDS),
        reason="Strimzi's schemas are not here: python -m tools.strimzi_schemas",
    ),
]


@pytest.fixture(params=["base", "demo"])
def manifests(request: pytest.FixtureRequest) -> list[Manifest]:
    return render(request.param)


@pytest.fixture
def demo() -> list[Manifest]:
    return render("demo")


def test_every_manifest_and_the_executors_pod_fit_the_schemas(manifests: list[Manifest]) -> None:
    every = [*manifests, executor(manifests)]
    found = {f"{each['kind']} {each['metadata']['name']}": problems(each) for each in every}
    assert {name: wrong for name, wrong in found.items() if wrong} == {}
    assert {each["kind"] for each in every} >= {*KINDS, "StatefulSet", "Deployment", "Job", "Pod"}


@pytest.mark.parametrize(
    ("kind", "name", "path", "value"),
    [
        ("Kafka", "nest", ("spec", "kafka", "listener"), []),
        ("Kafka", "nest", ("spec", "kafka", "authorization", "type"), "complex"),
        ("KafkaNodePool", "kafka", ("spec", "replicas"), "three"),
        ("KafkaUser", "producer", ("spec", "authorization", "acls", 0, "operations"), ["Reed"]),
        ("StatefulSet", "pipeline", ("spec", "replica"), 2),
        ("Deployment", "dashboard", ("spec", "template", "spec", "containers", 0, "port"), 1),
    ],
)
def test_what_does_not_fit_is_found(
    kind: str, name: str, path: tuple[str | int, ...], value: object, demo: list[Manifest]
) -> None:
    wrong = deepcopy(named(demo, kind, name))
    place = wrong
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = value
    assert problems(wrong) != []


def test_kafka_keeps_each_message_on_three_nodes_and_acknowledges_it_on_two(
    manifests: list[Manifest],
) -> None:
    kafka, pool = named(manifests, "Kafka", "nest"), named(manifests, "KafkaNodePool", "kafka")
    assert pool["spec"]["replicas"] == 3
    config = kafka["spec"]["kafka"]["config"]
    assert (config["default.replication.factor"], config["min.insync.replicas"]) == (3, 2)
    (shared,) = (
        each for name, each in config_maps(manifests).items() if name.startswith("settings")
    )
    assert (shared["NEST_REPLICATION_FACTOR"], shared["NEST_MIN_INSYNC_REPLICAS"]) == ("3", "2")
    (listener,) = kafka["spec"]["kafka"]["listeners"]
    assert listener["tls"] is True
    assert listener["authentication"]["type"] == "scram-sha-512"
    assert shared["NEST_BOOTSTRAP_SERVERS"] == f"nest-kafka-bootstrap:{listener['port']}"


def test_each_kafka_user_has_the_rights_of_the_contract_and_no_other(
    manifests: list[Manifest],
) -> None:
    found = {}
    for user in of_kind(manifests, "KafkaUser"):
        authorization = user["spec"]["authorization"]
        found[user["metadata"]["name"]] = {
            (
                acl["resource"]["type"],
                acl["resource"]["name"],
                acl["resource"].get("patternType", "literal") == "prefix",
                frozenset(acl["operations"]),
            )
            for acl in authorization["acls"]
        }
    assert found == {
        user: {
            (right.kind, right.name, right.is_prefix, frozenset(right.operations))
            for right in rights
        }
        for user, rights in RIGHTS.items()
    }


def test_each_part_starts_with_settings_that_fit_together(
    demo: list[Manifest], monkeypatch: pytest.MonkeyPatch
) -> None:
    users = {}
    for name, pod in pods(demo).items():
        variables = settings(demo, pod)
        if not variables:
            continue
        known = {f"NEST_{field.upper()}" for field in Settings.model_fields}
        assert variables.keys() <= known, name
        with monkeypatch.context() as environment:
            for variable, value in variables.items():
                environment.setenv(variable, value)
            loaded = Settings()
        users[name] = loaded.kafka_user
        files = {value for variable, value in variables.items() if variable.endswith("_FILE")}
        assert files <= set(mounted_files(pod)), name
    assert users == {
        "topics": "operator",
        "producer": "producer",
        "pipeline": "pipeline",
        "dashboard": "dashboard",
        "metrics": "dashboard",
    }


def test_what_a_pod_refers_to_is_there(manifests: list[Manifest]) -> None:
    secrets = {each["metadata"]["name"] for each in of_kind(manifests, "Secret")} | MADE_ELSEWHERE
    for name, pod in pods(manifests).items():
        text = yaml.safe_dump(pod)
        for kind in ("configMap", "configMapRef"):
            references = re.findall(rf"{kind}:\s+name: (\S+)", text)
            assert set(references) <= set(config_maps(manifests)), name
        named_secrets = re.findall(r"secretKeyRef:\s+key: \S+\s+name: (\S+)", text)
        for volume in pod["volumes"]:
            for source in volume.get("projected", {}).get("sources", []):
                named_secrets.append(source["secret"]["name"])
        assert set(named_secrets) <= secrets, name
        account = pod.get("serviceAccountName")
        assert not account or named(manifests, "ServiceAccount", account)


def test_every_pod_is_unprivileged_and_only_the_driver_may_ask_kubernetes(
    manifests: list[Manifest],
) -> None:
    for name, pod in pods(manifests).items():
        assert pod["securityContext"]["runAsNonRoot"] is True, name
        assert pod["automountServiceAccountToken"] is (name == "pipeline"), name
        for container in [*pod["containers"], *pod.get("initContainers", [])]:
            context = container["securityContext"]
            assert context["readOnlyRootFilesystem"] is True, name
            assert context["allowPrivilegeEscalation"] is False, name
            assert context["capabilities"] == {"drop": ["ALL"]}, name


def test_the_executors_run_the_drivers_image_with_a_slot_for_each_partition_and_more(
    demo: list[Manifest],
) -> None:
    driver = pods(demo)["pipeline"]["containers"][0]
    variables = {each["name"]: each.get("value") for each in driver["env"]}
    assert variables["EXECUTOR_IMAGE"] == driver["image"]
    assert driver["image"].startswith("registry.example.com/")
    (conf,) = (each["pipeline.conf"] for each in config_maps(demo).values() if len(each) == 2)
    options = dict(line.split(maxsplit=1) for line in conf.splitlines() if line and line[0] != "#")
    slots = int(options["spark.executor.instances"]) * int(options["spark.executor.cores"])
    assert slots > NEST_LOGS.partitions
    ports = {each["name"]: str(each["containerPort"]) for each in driver["ports"]}
    assert options["spark.driver.port"] == ports["driver"]
    assert options["spark.driver.blockManager.port"] == ports["blocks"]
    assert options["spark.kubernetes.executor.podTemplateFile"] == "/etc/spark/executor.yaml"
    assert {"mountPath": "/etc/spark", "name": "spark", "readOnly": True} in driver["volumeMounts"]
    image = (ROOT / "Dockerfile").read_text().split(" AS pipeline\n")[1]
    for side in ("driver", "executor"):
        for path in options[f"spark.{side}.extraClassPath"].split(":"):
            assert f"COPY --from=jars {path.removesuffix('/*')} " in image


def test_our_images_are_those_that_docker_compose_builds(manifests: list[Manifest]) -> None:
    services = yaml.safe_load((ROOT / "docker-compose.yml").read_text())["services"].values()
    built = {service["image"] for service in services if "build" in service}
    for name, pod in pods(manifests).items():
        for container in pod["containers"]:
            image = container["image"].removeprefix("registry.example.com/").split(":")[0]
            assert image in built or image == "andrewgaul/s3proxy", name


def test_the_driver_sleeps_where_a_command_is_run_by_hand() -> None:
    patch = yaml.safe_load((FOLDER / "by-hand.yaml").read_text())
    (container,) = patch["spec"]["template"]["spec"]["containers"]
    assert container == {"name": "pipeline", "command": ["sleep"], "args": ["infinity"]}
    # Whatever the patch sets is in the manifest too, so the next apply sets it back.
    driver = pods(render("base"))["pipeline"]["containers"][0]
    assert container.keys() <= driver.keys()


def test_the_page_says_what_the_demo_asks_for(demo: list[Manifest]) -> None:
    pool = named(demo, "KafkaNodePool", "kafka")["spec"]
    executors = 2 * [{"cpu": "1", "memory": "2Gi"}]  # as pipeline.conf says
    asked = [pool["resources"]["requests"]] * pool["replicas"] + executors
    asked += [
        container["resources"]["requests"]
        for name, pod in pods(demo).items()
        for container in pod["containers"]
        if name != "executor"
    ]
    cores = sum(cores_of(each["cpu"]) for each in asked)
    memory = sum(mebibytes_of(each["memory"]) for each in asked) / 1024
    page = (ROOT / "docs" / "kubernetes.md").read_text()
    assert f"about {cores:.0f} cores and {memory:.0f} GiB" in page


def cores_of(text: str) -> float:
    return int(text[:-1]) / 1000 if text.endswith("m") else float(text)


def mebibytes_of(text: str) -> int:
    return int(text[:-2]) * (1024 if text.endswith("Gi") else 1)


def test_no_manifest_holds_a_secret(manifests: list[Manifest]) -> None:
    assert of_kind(manifests, "Secret") == []
    for name, pod in pods(manifests).items():
        for variable in pod["containers"][0].get("env", []):
            is_secret = re.search("(KEY|PASSWORD|CREDENTIAL|IDENTITY)$", variable["name"])
            assert not is_secret or "value" not in variable, name
