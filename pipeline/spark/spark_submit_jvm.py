"""A JVM that spark-submit has started: the parent of this process, and no child of it."""

import os
import socket
from contextlib import suppress

from pyspark import SparkContext

from contract.polling import poll_until

_PORT = "PYSPARK_GATEWAY_PORT"
"""Where spark-submit says on which port of this machine its JVM takes calls."""


def is_spark_submit_jvm_gone(within: float) -> bool:
    """Return whether spark-submit has started this process, and its JVM is gone.

    Or will be ``within`` seconds.
    """
    if _PORT not in os.environ:
        return False
    with suppress(TimeoutError):
        return poll_until(_takes_no_calls, "the JVM's end", within)
    return False


def halt_spark_submit_jvm() -> None:
    """End the JVM of Spark at once, with exit code 1."""
    if context := SparkContext._active_spark_context:
        with suppress(Exception):
            context._jvm.java.lang.Runtime.getRuntime().halt(1)  # type: ignore[union-attr]


def _takes_no_calls() -> bool:
    try:
        socket.create_connection(("127.0.0.1", int(os.environ[_PORT])), timeout=1).close()
    except OSError:
        return True
    return False
