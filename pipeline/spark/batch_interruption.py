"""A stop in the middle of a batch that Python writes, so that Spark knows it for one."""

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec

from py4j.java_gateway import JavaObject
from py4j.protocol import Py4JJavaError

P = ParamSpec("P")

_SPARK_LOOKS_FOR = (
    "py4j.protocol.Py4JJavaError: An error occurred while calling Java: "
    "java.lang.InterruptedException"
)


class BatchInterrupted(Exception):
    """A batch has ended early, because its query is to stop."""


def shorten_interruption(write: Callable[P, None]) -> Callable[P, None]:
    """Make a function for ``foreachBatch`` raise BatchInterrupted, a short text, on interruption.

    Spark looks for the interruption in the text of what such a batch ended by, with a pattern that
    needs the more stack the longer the text is (``StreamExecution.isInterruptionException``). Over
    Java's stack trace, which Python adds, the stack overflows, and the query's thread prints it:
    a thousand lines for a stop in which nothing is wrong.
    """

    @wraps(write)
    def brief(*args: P.args, **kwargs: P.kwargs) -> None:
        try:
            write(*args, **kwargs)
        except Py4JJavaError as error:
            if not _is_interruption(error.java_exception):
                raise
            raise BatchInterrupted(_SPARK_LOOKS_FOR) from None

    return brief


def _is_interruption(error: JavaObject | None) -> bool:
    while error is not None:
        if "Interrupt" in error.getClass().getSimpleName():
            return True
        error = error.getCause()
    return False
