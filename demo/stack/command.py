"""How a reader of a message calls the `nest` command: messages name it without its folder."""

import os
import shutil
import sys
from pathlib import Path


def nest_command() -> str:
    """Return what to type for ``nest`` here: the name where a shell finds it, else its path."""
    script = Path(sys.executable).with_name("nest")
    if shutil.which("nest") or not script.exists():
        return "nest"
    return os.path.relpath(script) if script.is_relative_to(Path.cwd()) else str(script)


def calling_hint(message: str) -> str | None:
    """Return a line on how to call the commands that a message names, if they do not work as is."""
    if "`nest " not in message or shutil.which("nest"):
        return None
    command = nest_command()
    if command != "nest":
        return f"Here `nest` is {command}. To type `nest` alone: . {Path(command).parent}/activate"
    return "In Docker type `docker compose run --rm nest` for `nest`; docs/commands.md has a table."
