"""What Spark and Delta refuse, named by the condition in their error message."""

import re
from collections.abc import Callable

from py4j.protocol import Py4JJavaError
from pyspark.errors import PySparkException

_CONDITION = re.compile(r"\[([A-Z][A-Z0-9_]+(?:\.[A-Z0-9_]+)*)\]")
_WRAPPER = "STREAM_FAILED"
"""A query that dies names what it died of after this."""


def error_condition(action: Callable[[], object]) -> str | None:
    """Return the condition with which an action is refused; None if it is not.

    For example DELTA_SOURCE_IGNORE_DELETE: what documentation and forums call an error.
    """
    try:
        action()
    except (PySparkException, Py4JJavaError) as error:
        found = [name for name in _CONDITION.findall(str(error)) if name != _WRAPPER]
        return found[0] if found else type(error).__name__
    return None
