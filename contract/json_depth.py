"""How deep JSON is nested."""

from typing import Any


def json_depth(value: Any) -> int:
    """Return how many objects and lists of parsed JSON are nested in each other."""
    depth, level = 0, [value]
    while level := [item for item in level if isinstance(item, dict | list)]:
        depth += 1
        level = [
            inner for item in level for inner in (item.values() if isinstance(item, dict) else item)
        ]
    return depth
