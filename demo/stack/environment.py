"""The settings as the environment of a child process."""

from collections.abc import Mapping
from shlex import quote

from contract.settings import Settings


def environment(settings: Settings) -> dict[str, str]:
    """Return the settings that are not the defaults as a child process reads them."""
    values = settings.model_dump(mode="json", include=settings.model_fields_set, exclude_none=True)
    return {f"NEST_{name.upper()}": str(value) for name, value in values.items()}


def shell_exports(variables: Mapping[str, str]) -> str:
    """Return variables of the environment as lines that a shell reads."""
    return "".join(f"export {name}={quote(value)}\n" for name, value in variables.items())
