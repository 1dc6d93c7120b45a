"""The `nest` command line: a module for each group of commands, in the order of its help."""

# isort: off
# The order in which the groups are imported is their order in the help.
from demo.cli import running, cluster, reading, mending, trying, preparing  # noqa: F401
# isort: on

import io
import os
import sys
from contextlib import suppress
from pathlib import Path

import typer

from contract.errors import UserError
from demo.cli.app import app as app
from demo.stack.typed_command import calling_hint


def main() -> None:
    """Run the command line; an error that a user can mend is printed without a traceback."""
    _make_streams_usable()
    try:
        app()
    except ModuleNotFoundError as error:
        _print_error(_missing_package(error))
        raise SystemExit(1) from None
    except (UserError, OSError) as error:
        _print_error(_sentence(error))
        raise SystemExit(error.exit_code if isinstance(error, UserError) else 1) from None


def _print_error(sentence: str) -> None:
    typer.secho(sentence, fg="red", err=True)
    if hint := calling_hint(sentence):
        typer.echo(hint, err=True)


def _make_streams_usable() -> None:
    """Let a closed standard input be an empty one, and print what a terminal has no letters for."""
    if sys.stdin is None:
        sys.stdin = Path(os.devnull).open()  # noqa: SIM115 - for as long as we live
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _missing_package(error: ModuleNotFoundError) -> str:
    """Say what an installation of a part of the project lacks."""
    package = (error.name or "").partition(".")[0]
    return (
        f"This command needs the Python package {package}, which is not installed here. "
        "`make setup` installs everything; in Docker another container has it, see the table of "
        "docs/commands.md."
    )


def _sentence(error: UserError | OSError) -> str:
    """Return what was wrong; for a file that cannot be used, which one and who decides where."""
    if isinstance(error, OSError) and isinstance(error.filename, str):
        setting = _setting_that_names(Path(error.filename).absolute())
        return f"{error.filename}: {error.strerror}.{setting}"
    return str(error)


def _setting_that_names(file: Path) -> str:
    """Return a sentence on the setting that says where a file is, or a folder around that place."""
    from contract.settings import load_settings

    with suppress(UserError):
        settings = load_settings()
        for name in ("lake", "checkpoints", "state"):
            place = Path(getattr(settings, name)).absolute()
            if file.is_relative_to(place) or place.is_relative_to(file):
                return f" NEST_{name.upper()}={getattr(settings, name)} says that it is there."
    return ""
