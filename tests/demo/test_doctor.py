"""The doctor names what is wrong with the machine and what to do about it."""

import socket
from pathlib import Path

import pytest
from rich.console import Console

from contract.errors import UserError
from contract.settings import Settings
from demo.commands.doctor import examine, require_fit_machine
from demo.commands.doctor_finding import Finding, Severity
from demo.stack.ports import KAFKA_PORT


def finding(settings: Settings, what: str) -> Finding:
    (found,) = [each for each in examine(settings) if each.what == what]
    return found


def java(folder: Path, version: str) -> Path:
    """A Java home whose Java says that it has this version."""
    command = folder / "bin" / "java"
    command.parent.mkdir(parents=True)
    command.write_text(f"#!/bin/sh\necho 'openjdk version \"{version}\"' >&2\n")
    command.chmod(0o755)
    return folder


def test_this_machine_has_no_problem() -> None:
    problems = [each for each in examine(Settings()) if each.severity is Severity.PROBLEM]
    assert problems == []


def test_a_variable_that_is_no_setting_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NEST_THRESHOLD", "5")
    assert finding(Settings(), "settings").severity is Severity.OK
    monkeypatch.setenv("NEST_THRESHHOLD", "5")
    found = finding(Settings(), "settings")
    assert found.severity is Severity.NOTE
    assert found.found.startswith("NEST_THRESHHOLD: no setting has that name")
    assert found.advice.startswith("Did you mean NEST_THRESHOLD?")


def test_no_java_says_what_to_install(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    found = finding(Settings(), "Java")
    assert found.severity is Severity.PROBLEM
    assert "openjdk-17" in found.advice


@pytest.mark.parametrize(
    ("version", "severity"),
    [("11.0.2", Severity.PROBLEM), ("1.8.0_392", Severity.PROBLEM), ("17.0.1", Severity.OK)],
)
def test_java_home_decides_and_its_version_is_judged(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, version: str, severity: Severity
) -> None:
    monkeypatch.setenv("JAVA_HOME", str(java(tmp_path / "jdk", version)))
    found = finding(Settings(), "Java")
    assert found.severity is severity
    assert version in found.found


def test_a_java_home_without_java_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("JAVA_HOME", str(tmp_path / "gone"))
    found = finding(Settings(), "Java")
    assert found.severity is Severity.PROBLEM
    assert f"JAVA_HOME={tmp_path / 'gone'}" in found.advice


def test_missing_jars_are_a_problem_and_stop_the_demo(tmp_path: Path) -> None:
    settings = Settings(state=tmp_path)
    assert finding(settings, "jars").severity is Severity.PROBLEM
    with pytest.raises(UserError, match=r"(?s)cannot run the demo.*jars.*nest jars"):
        require_fit_machine(settings, Console(quiet=True))


def test_a_taken_port_is_a_note_and_not_a_problem() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert finding(Settings(dashboard_port=port), f"port {port}").severity is Severity.NOTE


def test_beside_a_demo_its_ports_are_not_called_taken() -> None:
    findings = examine(Settings(dashboard_port=8502), beside_demo=True)
    (demo,) = [each for each in findings if each.what == "demo"]
    assert demo.severity is Severity.OK
    assert demo.found == "it runs in this folder: http://localhost:8502"
    assert not [each for each in findings if each.what.startswith("port ")]


def test_from_a_folder_without_the_project_one_is_sent_to_it_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    found = finding(Settings(state=tmp_path / ".nest"), "jars")
    assert found.advice.startswith("Go to the project's folder")


def test_an_address_of_another_machine_is_a_problem_and_not_a_taken_port() -> None:
    findings = examine(Settings(bind_address="192.0.2.1"))
    (found,) = [each for each in findings if each.severity is Severity.PROBLEM]
    assert (found.what, found.found) == ("bind address", "192.0.2.1")
    assert "NEST_BIND_ADDRESS=192.0.2.1 is no address of this machine" in found.advice
    ports = [each.what for each in findings if each.what.startswith("port ")]
    assert ports == [f"port {KAFKA_PORT}"]  # Kafka listens on loopback, whatever the address


def test_a_full_disk_is_a_problem(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("demo.commands.doctor.DISK_GB", 1e9)
    assert finding(Settings(), "disk").severity is Severity.PROBLEM


def test_packages_that_do_not_fit_the_jars_are_a_problem(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("demo.commands.doctor.version", lambda name: "4.1.0")
    assert finding(Settings(), "versions").severity is Severity.PROBLEM


@pytest.mark.kafka
def test_an_image_of_one_room_is_judged_by_its_own_needs(
    monkeypatch: pytest.MonkeyPatch, fresh_topics: str
) -> None:
    without = {"pyspark", "mirakuru", "psutil"}
    monkeypatch.setattr("demo.commands.doctor.find_spec", lambda name: name not in without or None)
    findings = examine(Settings(bootstrap_servers=fresh_topics))
    assert {each.what for each in findings} == {
        "Python",
        "disk",
        "crc32c",
        "settings",
        "Kafka",
        "device_locations",
    }
    assert all(each.severity is Severity.OK for each in findings)
    no_table = Settings(bootstrap_servers=fresh_topics, device_locations="nowhere.csv")
    assert [each.what for each in examine(no_table) if each.severity is Severity.PROBLEM] == [
        "device_locations"
    ]
