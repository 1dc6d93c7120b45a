"""The command line that all benchmarks share."""

from collections.abc import Callable, Sequence

import typer
from rich.console import Console

from contract.errors import UserError
from demo.stack.signals import interruptible


def chosen_names(text: str, known: Sequence[str]) -> list[str]:
    """Return the names in a comma-separated text, in the order of ``known``.

    Raises typer.BadParameter for a name that is not known.
    """
    asked = {name.strip() for name in text.split(",")}
    if unknown := asked - set(known):
        raise typer.BadParameter(
            f"{', '.join(sorted(unknown))} is unknown. Choose from {', '.join(known)}."
        )
    return [name for name in known if name in asked]


def new_console(*, stderr: bool = False) -> Console:
    """Return a console that prints a text as it is, whoever wrote it."""
    return Console(markup=False, emoji=False, highlight=False, soft_wrap=True, stderr=stderr)


def run_command(main: Callable[..., None]) -> None:
    """Parse the options and call ``main``. A UserError is printed without a traceback.

    SIGTERM stops what the benchmark has started, as Ctrl-C does.
    """
    try:
        with interruptible():
            typer.run(main)
    except (UserError, OSError) as error:  # also a TimeoutError of what was awaited
        new_console(stderr=True).print(str(error), style="red")
        raise SystemExit(1) from None
