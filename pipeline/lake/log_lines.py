"""The lines of a file in a Delta table's log."""


def log_lines(text: str) -> list[str]:
    """Return the lines of a commit, each one an action as JSON.

    Only a line feed ends a line. ``str.splitlines`` would break at others as well, such as U+2028,
    which JSON may hold as it is: in the statistics of a file, which have the device ids.
    """
    return [line for line in text.split("\n") if line]
