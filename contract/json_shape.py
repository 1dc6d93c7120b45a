"""How JSON is laid out: in lines, and nested how deep."""

from typing import Any


def json_lines(text: str) -> list[str]:
    """Return the lines of a text with a JSON document in each, such as a commit of a Delta table.

    Empty lines are left out. Only a line feed ends a line. ``str.splitlines`` would break at others
    as well, such as U+2028, which JSON may hold as it is: a commit does in a file's statistics,
    which have the device ids.
    """
    return [line for line in text.split("\n") if line]


def json_depth(value: Any) -> int:
    """Return how many objects and lists of parsed JSON are nested in each other."""
    depth, level = 0, [value]
    while level := [item for item in level if isinstance(item, dict | list)]:
        depth += 1
        level = [
            inner for item in level for inner in (item.values() if isinstance(item, dict) else item)
        ]
    return depth
