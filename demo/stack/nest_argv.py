"""The command line of a `nest` command for a process of this machine."""

import sys


def nest_argv(*arguments: str) -> list[str]:
    """Return the command line of a `nest` command in this same Python."""
    return [sys.executable, "-m", "demo.cli", *arguments]
