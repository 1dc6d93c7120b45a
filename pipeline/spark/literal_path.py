"""Paths for Spark's readers, which take some characters for a pattern."""

import re

_PATTERN_CHARACTER = re.compile(r"[\\\[\]{}*?]")


def literal_path(uri: str) -> str:
    """Return a path or URI with which ``spark.read`` finds just what is there.

    Without this, ``/home/me/nest [demo]/table`` is a pattern, which matches ``nest d/table``.
    """
    return _PATTERN_CHARACTER.sub(r"\\\g<0>", uri)
