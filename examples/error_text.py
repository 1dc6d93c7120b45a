"""What Spark says when it refuses something, without what stands around it."""

import re

_RAISED = re.compile(
    r"(?:^|: )(?P<kind>(?:[\w$]+\.)*[A-Z][\w$]*(?:Error|Exception)): (?P<message>.*?)"
    r"(?=^\s+at |^Caused by: |^: |^\s*$|JVM stacktrace|Driver stacktrace|\Z)",
    re.MULTILINE | re.DOTALL,
)
_WRAPPERS = ("Py4JJavaError", "SparkException", "ExecutionException", "StreamingQueryException")
_END = re.compile(r"JVM stacktrace|=== Streaming Query ===|;\s*\n[~'+]")
"""Stack, query and plan follow."""
_NOISE = (re.compile(r"^.*terminated with exception: "), re.compile(r"SQLSTATE: .*$"))
"""Which query it was, and the code that standards give to the error."""


def in_one_line(error: Exception) -> str:
    """Return the message of the first error of a chain that says more than that a task failed."""
    text = _END.split(str(error))[0]
    raised = [(found["kind"].split(".")[-1], found["message"]) for found in _RAISED.finditer(text)]
    telling = [message for kind, message in raised if kind not in _WRAPPERS]
    message = " ".join((telling[0] if telling else text).split())
    for noise in _NOISE:
        message = noise.sub("", message).strip()
    return message or type(error).__name__
