"""A message that names a `nest` command says how to call it where the shell does not find it."""

import sys
from pathlib import Path

import pytest

from demo.stack.typed_command import calling_hint, typed_nest

MESSAGE = "There is no topic. `nest topics` creates it."


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An environment with a `nest` command that the shell does not find."""
    folder = tmp_path / ".venv" / "bin"
    folder.mkdir(parents=True)
    (folder / "nest").touch(mode=0o755)
    monkeypatch.setattr(sys, "executable", str(folder / "python"))
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.chdir(tmp_path)
    return folder


def test_the_path_of_the_command_is_given(install: Path) -> None:
    assert typed_nest() == ".venv/bin/nest"
    hint = calling_hint(MESSAGE)
    assert hint == "Here `nest` is .venv/bin/nest. To type `nest` alone: . .venv/bin/activate"


def test_nothing_is_added_where_the_shell_finds_it(
    install: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(install))
    assert typed_nest() == "nest"
    assert calling_hint(MESSAGE) is None


def test_nothing_is_added_to_a_message_without_a_command(install: Path) -> None:
    assert calling_hint("Port 9092 is taken.") is None


def test_an_image_without_the_command_names_the_docker_form(install: Path) -> None:
    (install / "nest").unlink()
    assert typed_nest() == "docker compose run --rm nest"
    assert "In Docker type `docker compose run --rm nest`" in (calling_hint(MESSAGE) or "")
