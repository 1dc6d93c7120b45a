"""The command line: quick to start, and errors are sentences."""

import os
import shlex
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from demo.stack.nest_argv import nest_argv
from demo.stack.ports import LOOPBACK
from tests.fixtures.kafka import GIVES_UP_SOON
from tests.fixtures.nest_command import nest


def python(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (["repport"], "No such command"),
        (["report", "--format", "xml"], "'--format': 'xml' is not one of"),
        (["repair", "nosuch"], "'query': 'nosuch' is not one of"),
        (["produce", "--start", "soon"], "'--start': 'soon' is not a time"),
        (["backfill", "--from", "soon", "--to", "now"], "'--from': 'soon' is not a time"),
        (["run", "--messages", "0"], "--messages"),
        (["tail"], "Missing argument"),
        (["credentials", "x", "--host", ""], "not the name or address of one host"),
        (["credentials", "x", "--host", "a b"], "not the name or address of one host"),
        (["credentials", "x", "--host", "ü.example"], "not the name or address of one host"),
        (["credentials", "x", "--host", "a,b"], "not the name or address of one host"),
    ],
)
def test_a_usage_error_exits_2_and_says_what_is_wrong(arguments: list[str], word: str) -> None:
    done = nest(*arguments, TERM="dumb", COLUMNS="200")
    assert done.returncode == 2
    assert word in " ".join(done.stderr.split())


@pytest.mark.parametrize(
    ("package", "command"), [("deltalake", "history camera"), ("pyspark", "pipeline --once")]
)
def test_a_part_that_is_not_installed_is_named(package: str, command: str) -> None:
    run = f"import sys; sys.modules[{package!r}] = None; from demo.cli import main; main()"
    done = python("-c", run, *command.split())
    assert done.returncode == 1
    assert f"needs the Python package {package}, which is not installed" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["repair", "stats", "--new-tables"], "--new-tables is for archive alone"),
        (["repair", "archive", "--force"], "--force is for `nest repair archive --new-tables`"),
        (["repair", "alerts", "--force"], "--force is for archive, stats and sightings alone"),
        (["pipeline", "--force"], "--force is for --rebuild-counts alone"),
        (["maintain", "--force"], "--force allows a short --retention"),
    ],
)
def test_an_option_that_would_do_nothing_is_refused(arguments: list[str], says: str) -> None:
    done = nest(*arguments)
    assert done.returncode == 1
    assert says in done.stderr


@pytest.mark.parametrize(
    "command", ["tail nowhere", "settings", "drill list", "example", "rights", "cluster down"]
)
def test_each_command_names_a_variable_that_is_no_setting_once(command: str) -> None:
    done = nest(*command.split(), NEST_LATENES="5 minutes", NEST_BOOTSTRAP_SERVERS="localhost:1")
    assert done.stderr.count("NEST_LATENES: no setting has that name") == 1
    assert "Did you mean NEST_LATENESS?" in done.stderr
    assert "NEST_LATENES:" not in done.stdout


def test_the_doctor_names_a_variable_that_is_no_setting_once() -> None:
    done = nest("doctor", NEST_LATENES="5 minutes", COLUMNS="200", timeout=120)
    assert (done.stdout + done.stderr).count("NEST_LATENES: no setting has that name") == 1


def test_a_setting_that_cannot_be_used_is_named_without_a_traceback() -> None:
    done = nest("report", NEST_LATENESS="soon", NEST_THRESHOLD="-1")
    assert done.returncode == 1
    assert "NEST_LATENESS=soon" in done.stderr
    assert "NEST_THRESHOLD=-1" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_time_that_is_none_is_said_before_spark_starts() -> None:
    done = nest("report", "--as-of", "yesterday")
    assert done.returncode == 1
    assert done.stderr == (
        "--as-of yesterday is neither a version nor a time. Write 12, or 2026-11-20T10:00:00Z.\n"
    )


def test_a_taken_port_of_the_dashboard_is_passed_over_and_refused_when_it_is_asked_for() -> None:
    with socket.create_server((LOOPBACK, 0)) as taken:
        port = str(taken.getsockname()[1])
        done = nest("dashboard", "--port", port)
        assert done.returncode == 1
        assert f"Port {port} is taken" in done.stderr
        assert done.stdout == ""
        serving = subprocess.Popen(
            nest_argv("dashboard"),
            env={**os.environ, "NEST_DASHBOARD_PORT": port, "PYTHONUNBUFFERED": "1"},
            stdout=subprocess.PIPE,
            text=True,
        )
        with serving:
            address = serving.stdout.readline().strip() if serving.stdout else ""
            serving.kill()
    assert address.startswith("Dashboard: http://localhost:")
    assert not address.endswith(f":{port}")


def test_no_command_loads_what_it_does_not_need() -> None:
    script = (
        "import sys, demo.cli as c\n"
        "try: c.app(['report'])\n"
        "except c.UserError: pass\n"
        "print(sorted({'pyspark', 'streamlit', 'faker', 'pandas', 'deltalake'} & {*sys.modules}))"
    )
    done = python(
        "-c", script, NEST_BOOTSTRAP_SERVERS="localhost:1", NEST_KAFKA_OPTIONS=GIVES_UP_SOON
    )
    assert done.stdout.strip() == "[]", done.stderr


@pytest.mark.parametrize("command", ["dashboard", "metrics"])
@pytest.mark.parametrize("address", ["nonsense.invalid", "192.0.2.1", "ü..x"])
def test_an_address_of_no_machine_is_named(command: str, address: str) -> None:
    done = nest(command, NEST_BIND_ADDRESS=address)
    assert done.returncode == 1
    assert f"NEST_BIND_ADDRESS={address} is no address of this machine" in done.stderr


def test_ctrl_c_while_python_still_imports_is_no_traceback(tmp_path: Path) -> None:
    (tmp_path / "typer.py").write_text("raise KeyboardInterrupt")
    done = python("-m", "nest_camera_analytics", "settings", PYTHONPATH=str(tmp_path))
    assert (done.returncode, done.stderr) == (130, "")


def test_a_terminal_without_the_letters_shows_their_numbers() -> None:
    done = nest("settings", PYTHONIOENCODING="latin-1")
    assert done.returncode == 0, done.stderr
    assert r"SASL_\u2026" in done.stdout


def test_a_closed_standard_input_answers_no_question(tmp_path: Path) -> None:
    (tmp_path / "kafka" / "log").mkdir(parents=True)
    (tmp_path / "kafka" / "log" / "meta.properties").touch()
    done = subprocess.run(
        ["sh", "-c", f"{shlex.join(nest_argv('reset'))} <&-"],
        env={**os.environ, "NEST_STATE": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert "lost" not in done.stderr
    assert (tmp_path / "kafka").exists()


def test_a_link_that_leads_to_itself_is_named(tmp_path: Path) -> None:
    (tmp_path / "state").symlink_to(tmp_path / "state")
    done = nest("doctor", NEST_STATE=str(tmp_path / "state"))
    assert done.returncode == 1
    assert f"NEST_STATE={tmp_path / 'state'}: is a link that leads to itself" in done.stderr


def test_a_folder_that_cannot_be_used_is_named_with_the_setting_that_says_so(
    tmp_path: Path,
) -> None:
    (tmp_path / "file").touch()
    inside, outside = tmp_path / "file" / "state", tmp_path / "file" / "locations.csv"
    done = nest("run", "--messages", "1", NEST_STATE=str(inside))
    assert f"Not a directory. NEST_STATE={inside} says that it is there." in done.stderr
    done = nest("device-locations", str(outside), "--homes", "1")
    assert done.returncode == 1
    assert f"{outside.parent}: " in done.stderr
    assert "NEST_" not in done.stderr


def test_credentials_that_were_never_made_are_a_hint(tmp_path: Path) -> None:
    done = nest("report", NEST_STATE=str(tmp_path), NEST_KAFKA_SECURE="true")
    assert "`nest up --secure` makes those of the embedded Kafka." in done.stderr
