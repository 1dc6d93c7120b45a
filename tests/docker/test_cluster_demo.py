"""The demo with `docker-compose.cluster.yml`: three brokers, two Spark workers, an object store."""

import json
from collections.abc import Callable, Iterator

import pytest

from contract.polling import poll_until
from tests.docker.compose import Demo, docker

pytestmark = [pytest.mark.docker, pytest.mark.timeout(1500)]
FILES = ("docker-compose.yml", "docker-compose.cluster.yml")
PATIENCE_S = 300.0


@pytest.fixture(scope="module")
def demo() -> Iterator[Demo]:
    """The demo on a cluster, built and up; removed with its volumes after the last test."""
    demo = Demo(project="nest-tests-cluster", files=FILES)
    with demo.running():
        yield demo


def wait_for(condition: Callable[[], object], what: str) -> None:
    poll_until(condition, what, PATIENCE_S, 1)


def alive_workers(demo: Demo) -> int:
    """Return how many workers the master has heard of lately."""
    ask = "import urllib.request as r; print(r.urlopen('http://localhost:8080/json/').read().decode())"
    said = demo.compose("exec", "-T", "spark-master", "python", "-c", ask).stdout
    return int(json.loads(said)["aliveworkers"])


def test_the_configuration_gives_no_warning() -> None:
    assert Demo(files=FILES).compose("config", "--quiet").stderr == ""


def test_the_check_holds_and_the_tables_are_on_the_object_store(demo: Demo) -> None:
    assert demo.report()
    assert "The check holds" in demo.nest("check")

    def tables() -> set[str]:
        lake = "/var/lib/object-store/nest/lake"
        return set(demo.compose("exec", "-T", "object-store", "ls", lake).stdout.split())

    # The archive starts when the counts have caught up, and camera_status after it.
    wait_for(lambda: {"camera", "camera_status", "quarantine"} <= tables(), "the tables")
    on_volume = demo.compose("exec", "-T", "pipeline", "ls", "/var/lib/nest").stdout.split()
    assert on_volume == ["device_locations.csv"]


def test_both_workers_have_an_executor_and_the_driver_has_none(demo: Demo) -> None:
    for worker in ("spark-worker-1", "spark-worker-2"):
        (container,) = demo.compose("ps", "--quiet", worker).stdout.split()
        assert "CoarseGrainedExecutorBackend" in docker("top", container)
    (container,) = demo.compose("ps", "--quiet", "pipeline").stdout.split()
    assert "CoarseGrainedExecutorBackend" not in docker("top", container)


def test_nobody_but_their_owner_reads_the_key(demo: Demo) -> None:
    said = demo.compose("exec", "-T", "dashboard", "ls", "-l", "/run/object-store/secret_key")
    assert said.stdout.startswith("-rw-------")
    key = demo.compose("exec", "-T", "dashboard", "cat", "/run/object-store/secret_key").stdout
    assert len(key.strip()) >= 32
    assert key.strip() not in demo.compose("logs").stdout
    assert key.strip() not in json.dumps(demo.containers())


def test_without_a_broker_and_a_worker_it_goes_on_and_the_check_holds(demo: Demo) -> None:
    demo.compose("kill", "kafka-2", "spark-worker-1")
    wait_for(lambda: alive_workers(demo) == 1, "the master's notice")
    # Healthy is a pipeline whose counts have all messages that were there.
    demo.nest("ready", "--within", str(int(PATIENCE_S)))
    assert "The check holds" in demo.nest("check")
    demo.compose("start", "kafka-2", "spark-worker-1")
    wait_for(lambda: alive_workers(demo) == 2, "the worker")
    demo.nest("ready", "--within", str(int(PATIENCE_S)))
    assert "The check holds" in demo.nest("check")
