"""`nest settings`: the page docs/settings.md, generated from the settings class."""

from typing import Any

from pydantic.fields import FieldInfo

from contract.duration import format_duration
from contract.settings import Settings

_HEAD = """\
# Settings

Every setting is an environment variable. `make docs` writes this page from
`contract/settings.py`, and `nest settings` prints it.

| variable | default | meaning |
| --- | --- | --- |
"""


def as_markdown() -> str:
    """Return the page: each setting with its default and what it means."""
    return _HEAD + "".join(
        f"| `NEST_{name.upper()}` | {_default(field)} | {field.description} |\n"
        for name, field in Settings.model_fields.items()
    )


def _default(field: FieldInfo) -> str:
    value: Any = field.default
    if value is None:
        return "not set"
    if hasattr(value, "total_seconds"):
        value = format_duration(value)
    if isinstance(value, bool):
        value = str(value).lower()
    return f"`{value}`"
