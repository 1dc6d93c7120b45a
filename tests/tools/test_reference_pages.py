"""Reference pages list every command, setting and drill as it is."""

from pathlib import Path

import typer

from contract.settings import Settings
from demo.cli import app
from tools.reference_pages import DOCS, IN_DOCKER, write_pages


def test_the_pages_are_what_make_docs_writes(tmp_path: Path) -> None:
    write_pages(tmp_path)
    for page in tmp_path.iterdir():
        assert (DOCS / page.name).read_text() == page.read_text(), "run: make docs"


def test_every_setting_says_what_it_means() -> None:
    assert [name for name, field in Settings.model_fields.items() if not field.description] == []


def test_every_command_has_a_docker_form() -> None:
    commands = set(typer.main.get_group(app).commands)
    assert commands == {name.split()[0] for name in IN_DOCKER}
