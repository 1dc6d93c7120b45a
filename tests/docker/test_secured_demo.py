"""The demo with `docker-compose.secure.yml`: each service as its own Kafka user, and no more."""

import json
from collections.abc import Iterator

import pytest

from tests.docker.compose import ROOT, Demo, docker

pytestmark = [pytest.mark.docker, pytest.mark.timeout(1500)]


@pytest.fixture(scope="module")
def demo() -> Iterator[Demo]:
    """The secured demo, built and up; removed with its volumes after the last test."""
    demo = Demo(
        project="nest-tests-secure", files=("docker-compose.yml", "docker-compose.secure.yml")
    )
    with demo.running():
        yield demo


def fails(demo: Demo, *arguments: str) -> str:
    """Run a compose command that has to fail, and return what it printed."""
    with pytest.raises(AssertionError) as error:
        demo.compose(*arguments)
    return str(error.value)


def test_the_configuration_gives_no_warning() -> None:
    secured = Demo(files=("docker-compose.yml", "docker-compose.secure.yml"))
    assert secured.compose("config", "--quiet").stderr == ""


def test_the_check_holds_with_each_service_as_its_own_user(demo: Demo) -> None:
    assert demo.report()
    assert "The check holds" in demo.nest("check")


def test_a_service_has_no_more_rights_than_it_needs(demo: Demo) -> None:
    nest = ("python", "-m", "demo.cli")
    said = fails(demo, "exec", "-T", "producer", *nest, "tail", "nest-logs", "--from", "earliest")
    assert "The Kafka user producer may not Read nest-logs" in said
    said = fails(demo, "exec", "-T", "dashboard", *nest, "topics")
    assert "The Kafka user dashboard may not DescribeConfigs" in said


def test_a_container_has_the_secret_of_its_own_user_alone(demo: Demo) -> None:
    (ids,) = (demo.compose("ps", "--quiet", "producer").stdout.split(),)
    (container,) = json.loads(docker("inspect", *ids))
    sources = [each["Source"] for each in container["Mounts"]]
    assert [source for source in sources if "secrets" in source] == [f"{ROOT}/secrets/producer"]
    password = demo.compose("exec", "-T", "producer", "cat", "/run/secrets/kafka/password").stdout
    assert len(password.strip()) >= 32
    assert password.strip() not in json.dumps(container)
