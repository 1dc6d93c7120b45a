"""Reference pages list every command, setting and drill as it is."""

from pathlib import Path

import typer

from contract.settings import Settings
from demo.cli import app
from tools.reference_pages import IN_DOCKER, outdated_pages, write_pages


def test_the_pages_are_what_make_docs_writes() -> None:
    assert outdated_pages() == []


def test_a_page_that_the_code_no_longer_writes_so_is_named(tmp_path: Path) -> None:
    write_pages(tmp_path)
    assert outdated_pages(tmp_path) == []
    page = tmp_path / "glossary.md"
    page.write_text(page.read_text().replace("# Glossary", "# Terms"))
    (tmp_path / "runbook.md").unlink()
    assert outdated_pages(tmp_path) == ["glossary.md", "runbook.md"]


def test_every_setting_says_what_it_means() -> None:
    assert [name for name, field in Settings.model_fields.items() if not field.description] == []


def test_every_command_has_a_docker_form() -> None:
    commands = set(typer.main.get_group(app).commands)
    assert commands == {name.split()[0] for name in IN_DOCKER}
