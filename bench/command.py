"""The command line that all benchmarks share."""

from collections.abc import Callable

import typer
from rich.console import Console

from contract.errors import UserError

PrintLine = Callable[[str], None]


def run_command(main: Callable[..., None]) -> None:
    """Parse the options and call ``main``. A UserError is printed without a traceback."""
    try:
        typer.run(main)
    except UserError as error:
        Console(stderr=True).print(str(error), style="red", highlight=False)
        raise SystemExit(1) from None
