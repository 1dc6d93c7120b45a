"""How a reader of a message calls the `nest` command: messages name it without its folder."""

import os
import shutil
import sys
from pathlib import Path

_IN_DOCKER = "docker compose run --rm nest"


def typed_nest() -> str:
    """Return what to type for ``nest`` here: the name where a shell finds it, else its path.

    A container has no such script: there it is what to type outside of it.
    """
    if shutil.which("nest"):
        return "nest"
    script = Path(sys.executable).with_name("nest")
    if not script.exists():
        return _IN_DOCKER
    return os.path.relpath(script) if script.is_relative_to(Path.cwd()) else str(script)


def calling_hint(message: str) -> str | None:
    """Return a line on how to call the commands that a message names, if they do not work as is."""
    if "`nest " not in message or (command := typed_nest()) == "nest":
        return None
    if command == _IN_DOCKER:
        return f"In Docker type `{command}` for `nest`; docs/commands.md has a table."
    return f"Here `nest` is {command}. To type `nest` alone: . {Path(command).parent}/activate"
