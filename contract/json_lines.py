"""The lines of a text with a JSON document in each, such as a commit of a Delta table."""


def json_lines(text: str) -> list[str]:
    """Return the lines that are not empty.

    Only a line feed ends a line. ``str.splitlines`` would break at others as well, such as U+2028,
    which JSON may hold as it is: a commit does in a file's statistics, which have the device ids.
    """
    return [line for line in text.split("\n") if line]
