"""The command line that all benchmarks share."""

from collections.abc import Callable

import typer
from rich.console import Console

from contract.errors import UserError
from demo.stack.signals import interruptible

PrintLine = Callable[[str], None]


def run_command(main: Callable[..., None]) -> None:
    """Parse the options and call ``main``. A UserError is printed without a traceback.

    SIGTERM stops what the benchmark has started, as Ctrl-C does.
    """
    try:
        with interruptible():
            typer.run(main)
    except UserError as error:
        Console(stderr=True).print(str(error), style="red", highlight=False)
        raise SystemExit(1) from None
