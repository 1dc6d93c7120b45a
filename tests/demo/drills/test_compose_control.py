"""What Docker's engine refuses, and what takes too long, is said in a sentence."""

import socket
from types import SimpleNamespace

import docker
import pytest
from docker.errors import APIError, NotFound
from requests.exceptions import ConnectionError as NoConnection
from requests.exceptions import ReadTimeout
from urllib3.exceptions import ReadTimeoutError

from contract.errors import UserError
from demo.drills.compose_control import ComposeControl
from tests.fixtures.errors import raising

LABELS = {"com.docker.compose.project": "nest"}
PIPELINE_ATTRS = {
    "Image": "pipeline",
    "HostConfig": {
        "Tmpfs": {},
        "Memory": 1000,
        "MemorySwap": 2000,
        "PidsLimit": 512,
        "CapDrop": ["ALL"],
        "SecurityOpt": ["no-new-privileges:true"],
        "ReadonlyRootfs": True,
    },
    "Config": {"Env": []},
    "NetworkSettings": {"Networks": {"nest": {}}},
}


def control(monkeypatch: pytest.MonkeyPatch, **service: object) -> ComposeControl:
    """Return the control of a project in which each container does what is given."""
    container = SimpleNamespace(labels=LABELS, id="1", attrs=PIPELINE_ATTRS, **service)
    containers = SimpleNamespace(
        get=lambda name: container,
        list=lambda **options: [container],
        run=lambda *arguments, **options: container,
    )
    monkeypatch.setattr(docker, "from_env", lambda: SimpleNamespace(containers=containers))
    return ComposeControl()


def test_a_container_that_is_just_restarting_cannot_be_killed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    error = APIError("container 1 is not running")
    with pytest.raises(UserError, match="Docker did not kill Kafka: container 1 is not running"):
        control(monkeypatch, kill=raising(error)).kill("Kafka")


def test_what_was_killed_is_started_again_where_the_next_cannot_be_killed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    done: list[str] = []

    def kill() -> None:
        if done:
            raise APIError("container 2 is not running")
        done.append("killed")

    compose = control(monkeypatch, kill=kill, start=lambda: done.append("started"))
    with pytest.raises(UserError, match="kill Kafka and Producer: container 2 is not running"):
        compose.kill("Kafka", "Producer")
    assert done == ["killed", "started"]


def test_an_engine_that_is_away_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    disk = control(monkeypatch, exec_run=raising(NoConnection("refused"))).full_disk("Kafka")
    with pytest.raises(UserError, match="Docker did not run a program in Kafka: refused"), disk:
        pass


def test_outside_of_a_compose_project_there_is_no_demo(monkeypatch: pytest.MonkeyPatch) -> None:
    containers = SimpleNamespace(
        get=raising(NotFound(f"No such container: {socket.gethostname()}"))
    )
    monkeypatch.setattr(docker, "from_env", lambda: SimpleNamespace(containers=containers))
    with pytest.raises(UserError, match="Docker did not find this container's Compose project: No"):
        ComposeControl()


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (ReadTimeout("read"), r"`nest maintain` did not end in 600 s\."),
        (NoConnection(ReadTimeoutError(None, "", "read")), r"`nest maintain` did not end in"),
        (NoConnection("reset by peer"), "Docker did not run `nest maintain`: reset by peer"),
        (APIError("no space left"), "Docker did not run `nest maintain`: no space left"),
    ],
)
def test_only_a_command_that_takes_too_long_did_not_end_in_time(
    monkeypatch: pytest.MonkeyPatch, error: Exception, message: str
) -> None:
    removed = []
    nest = control(monkeypatch, wait=raising(error), remove=lambda force: removed.append(1))
    with pytest.raises(UserError, match=message):
        nest.nest("maintain")
    assert removed
