"""docs/settings.md lists every setting as it is."""

from pathlib import Path

from contract.settings import Settings
from demo.commands.settings import as_markdown


def test_the_page_is_what_the_settings_say() -> None:
    page = Path(__file__).parents[2] / "docs" / "settings.md"
    assert page.read_text() == as_markdown(), "run: nest settings > docs/settings.md"


def test_every_setting_says_what_it_means() -> None:
    assert [name for name, field in Settings.model_fields.items() if not field.description] == []
