"""What a function that works for a while is given to tell people how it goes."""

import sys
from collections.abc import Callable

PrintLine = Callable[[str], None]
"""Prints a line for people, or keeps it for a test."""


def print_to_stderr(line: str) -> None:
    """Print a line for people beside an output that programs may read."""
    sys.stderr.write(f"{line}\n")
