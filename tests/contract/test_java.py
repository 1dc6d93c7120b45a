"""Java is tried before Kafka and Spark are started with it."""

from pathlib import Path

import pytest

from contract import java
from contract.errors import UserError
from contract.java import require_java


def java_home(folder: Path, script: str) -> Path:
    command = folder / "bin" / "java"
    command.parent.mkdir(parents=True)
    command.write_text(script)
    command.chmod(0o755)
    return folder


def test_a_machine_without_java_is_told_before_anything_is_fetched(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setenv("PATH", "")
    with pytest.raises(SystemExit, match=r"There is no Java on this machine\. Install Java 17"):
        java.main()


def test_a_java_that_works_is_found() -> None:
    assert Path(require_java("64m", "NEST_SPARK_MEMORY")).name == "java"


@pytest.mark.parametrize("memory", ["900000000g", "99999999999999999999g", "1k"])
def test_memory_that_java_refuses_is_named_with_its_setting(memory: str) -> None:
    with pytest.raises(UserError, match=f"Java refuses NEST_KAFKA_MEMORY={memory}: ") as raised:
        require_java(memory, "NEST_KAFKA_MEMORY")
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    ("script", "message"),
    [
        ("#!/bin/sh\necho 'openjdk version \"11.0.2\"' >&2\n", "is not Java 17 or newer"),
        ("#!/bin/sh\nexit 7\n", "does not work as Java"),
        ("not a program\0", "cannot be run"),
    ],
)
def test_a_java_home_with_another_program_is_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, script: str, message: str
) -> None:
    home = java_home(tmp_path / "jdk", script)
    monkeypatch.setenv("JAVA_HOME", str(home))
    with pytest.raises(UserError, match=message) as raised:
        require_java("1g", "NEST_SPARK_MEMORY")
    assert f"JAVA_HOME={home}" in str(raised.value)
