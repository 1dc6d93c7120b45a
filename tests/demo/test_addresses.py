"""A command in another terminal goes to the Kafka that runs here, whatever port that has found."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from contract.errors import UserError
from contract.kafka.acls import OPERATOR, PRODUCER
from contract.settings import Settings
from demo.cli import app
from demo.cli.app import settings_with
from demo.drills.running_demo import find_running_demo
from demo.stack.addresses import forget_addresses, keep_addresses, require_named_kafka
from demo.stack.exclusive_commands import ExclusiveCommand
from demo.stack.run_lock import RunLock

DEFAULT = "localhost:9092"
OWN = "localhost:9093"


@pytest.fixture
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder in which a demo has found other ports than the usual ones."""
    monkeypatch.delenv("NEST_BOOTSTRAP_SERVERS", raising=False)
    monkeypatch.setenv("NEST_STATE", str(tmp_path))
    keep_addresses(Settings(bootstrap_servers=OWN, dashboard_port=8502))
    return tmp_path


@pytest.fixture
def demo(state: Path) -> Iterator[Path]:
    """The same folder while the demo runs."""
    with RunLock(state, ExclusiveCommand.UP).held():
        yield state


@pytest.mark.usefixtures("demo")
def test_a_command_goes_to_the_demo_that_runs_here() -> None:
    settings = settings_with()
    assert settings.kafka.bootstrap_servers == OWN
    assert settings.dashboard_port == 8502


@pytest.mark.usefixtures("state")
def test_a_demo_that_has_ended_leads_nobody() -> None:
    assert settings_with().bootstrap_servers == DEFAULT


def test_a_kafka_that_may_be_anybodys_is_named_and_nothing_is_deleted_in_it(
    state: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("demo.stack.ports.is_open", lambda port: port == 9092)
    with pytest.raises(UserError, match="nothing is deleted in a Kafka that may be another one's"):
        require_named_kafka(settings_with())
    assert capsys.readouterr().err == (
        "The Kafka at localhost:9092 was not started from this folder.\n"
    )
    with RunLock(state, ExclusiveCommand.UP).held():
        require_named_kafka(settings_with())
    monkeypatch.setenv("NEST_BOOTSTRAP_SERVERS", DEFAULT)
    require_named_kafka(settings_with())
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("command", "says"),
    [
        (["report", "--as-of", "yesterday"], "is neither a version nor a time"),
        (["history", "camera"], "There is no table camera"),
        (["restore", "camera", "--version", "0"], "Spark starts"),
        (["reset"], "Remove all of this?"),
    ],
)
@pytest.mark.usefixtures("state")
def test_a_command_that_needs_no_kafka_names_none(
    command: list[str], says: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("demo.stack.ports.is_open", lambda port: port == 9092)
    for name in ("LAKE", "CHECKPOINTS"):
        monkeypatch.setenv(f"NEST_{name}", str(tmp_path / name))
    done = CliRunner().invoke(app, command)
    said = f"{done.output}{done.exception or ''}"
    assert says in said
    assert "9092" not in said


@pytest.mark.usefixtures("demo")
def test_to_forget_is_to_ask_the_kafka_that_runs_here(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    monkeypatch.setattr(
        "demo.commands.forget.forget", lambda settings, *_: asked.append(settings.bootstrap_servers)
    )
    CliRunner().invoke(app, ["forget", "--structure", "anna"])
    assert asked == [OWN]


@pytest.mark.usefixtures("demo")
def test_what_somebody_has_set_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NEST_DASHBOARD_PORT", "9000")
    assert settings_with().bootstrap_servers == OWN
    assert settings_with().dashboard_port == 9000
    monkeypatch.setenv("NEST_BOOTSTRAP_SERVERS", "kafka:9092")
    assert settings_with().bootstrap_servers == "kafka:9092"


@pytest.mark.usefixtures("demo")
def test_a_command_that_starts_a_kafka_itself_takes_no_address() -> None:
    assert settings_with(None).bootstrap_servers == DEFAULT


def test_a_command_goes_to_the_broker_that_runs_here_alone(state: Path) -> None:
    keep_addresses(
        Settings(bootstrap_servers="localhost:9094", kafka_secure=True), ExclusiveCommand.BROKER
    )
    assert settings_with().bootstrap_servers == DEFAULT
    with RunLock(state, ExclusiveCommand.BROKER).held():
        assert settings_with().bootstrap_servers == "localhost:9094"
        assert settings_with().kafka_user == OPERATOR
        assert settings_with().dashboard_port == Settings().dashboard_port
        with pytest.raises(UserError, match="No demo is running here"):
            find_running_demo(Settings())


@pytest.mark.parametrize("user", [OPERATOR, PRODUCER])
def test_a_secured_kafka_is_met_as_the_commands_own_user(demo: Path, user: str) -> None:
    keep_addresses(Settings(bootstrap_servers=OWN, kafka_secure=True))
    assert settings_with(user).kafka_user == user


def test_no_drill_begins_before_the_demo_has_its_addresses(demo: Path) -> None:
    forget_addresses(Settings())
    with pytest.raises(UserError, match="No demo is running here"):
        find_running_demo(Settings())
