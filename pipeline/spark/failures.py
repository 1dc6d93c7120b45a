"""Why a query died, in one line, and what kind of failure it is."""

import re

_CAUSE = re.compile(
    r"(?:Caused by: |: |Exception in thread \S+ )?([\w.$]*(?:Error|Exception|Interrupt)\w*: .+)"
)
"""A line of a Java or Python stack trace that names an exception."""
_NO_CAUSE = "An error occurred while calling"
"""What Python says of any error in Java; the error itself is in the next line."""

NOT_WRITABLE = "permission denied|read-only file system|not a directory|mkdirs failed"
RECORDS_ARE_GONE = (
    "data may have been lost|data_loss|offset out of range|offsetoutofrange|was changed from"
)
_TRANSIENT = (
    f"{NOT_WRITABLE}|no space left|file too large|quota exceeded|too many open files|out of memory"
    "|outofmemory|unreleased_thread|timeout|timed out|connection|slow down|slowdown|status code: 5"
)
"""What a full disk, little memory, another thread or a store that is busy says."""


def root_cause(error: Exception) -> str:
    """Return the innermost cause of an error in one line."""
    return causes(error)[-1]


def causes(error: Exception) -> list[str]:
    """Return what an error says, and each exception behind it, in a line each, the innermost last.

    Where a query ended by an error with a name of Spark's, the causes are only in Java's trace.
    """
    # A ParseException begins with an empty line.
    lines = [line for line in str(error).splitlines() if line.strip()] or [type(error).__name__]
    trace = java_trace(error).splitlines()
    behind = _exception_lines(lines) or _exception_lines(trace) or trace[:1]
    return [lines[0].strip(), *behind]


def java_trace(error: Exception) -> str:
    """Return Java's stack trace of what a query ended by, with all causes; empty without one."""
    return str(getattr(getattr(error, "_cause", None), "_stackTrace", ""))


def _exception_lines(lines: list[str]) -> list[str]:
    """Return the lines that name an exception, without what stands before the name."""
    return [
        match[1].strip()
        for text in lines
        if (match := _CAUSE.match(text)) and _NO_CAUSE not in text
    ]


def is_transient(error: Exception) -> bool:
    """Return whether an error is of the machine or the network, and not of what was read."""
    return _says(error, _TRANSIENT)


def is_not_permitted(error: Exception) -> bool:
    """Return whether an error says that this user may not read or write there."""
    return _says(error, NOT_WRITABLE)


def _says(error: Exception, pattern: str) -> bool:
    return re.search(pattern, without_paths(" ".join(causes(error)).lower())) is not None


def without_paths(text: str) -> str:
    """Return a text without the words that are paths or addresses: their parts say nothing."""
    return re.sub(r"\S*/\S*", "", text)


def are_records_gone(text: str) -> bool:
    """Return whether an error says that records are gone that a query had not read."""
    return re.search(RECORDS_ARE_GONE, text.lower()) is not None
