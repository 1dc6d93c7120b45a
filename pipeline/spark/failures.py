"""Why a query died, in one line, and what to do about it."""

import re
from collections.abc import Sequence

_CAUSE = re.compile(
    r"(?:Caused by: |: |Exception in thread \S+ )?([\w.$]*(?:Error|Exception|Interrupt)\w*: .+)"
)
"""A line of a Java or Python stack trace that names an exception."""
_NO_CAUSE = "An error occurred while calling"
"""What Python says of any error in Java; the error itself is in the next line."""

_DATA_FILE = re.compile(r"/(\w+)/[^/\s]+\.parquet")
"""A file of a table, and the folder that it is in: the table's name, or ``_change_data``."""
_NOT_WRITABLE = ("permission denied", "read-only file system", "not a directory", "mkdirs failed")

_TRANSIENT = (
    *_NOT_WRITABLE,
    "no space left",
    "file too large",
    "quota exceeded",
    "too many open files",
    "out of memory",
    "outofmemory",
    "unreleased_thread",
    "timeout",
    "timed out",
    "connection",
    "slow down",
    "slowdown",
    "status code: 5",
)
"""What a full disk, little memory, another thread or a store that is busy says."""
_NO_ANSWER = ("timeout", "connection", "disconnect", "bootstrap")
_OBJECT_STORE = ("s3a", "sdkclientexception", "amazonaws", "awssdk")
"""What the causes of an error name that is about an object store."""
_RECORDS_ARE_GONE = (
    "data may have been lost",
    "data_loss",
    "offset out of range",
    "offsetoutofrange",
    "was changed from",
)


def root_cause(error: Exception) -> str:
    """Return the innermost cause of an error in one line."""
    return causes(error)[-1]


def causes(error: Exception) -> list[str]:
    """Return what an error says, and each exception behind it, in a line each, the innermost last.

    Where a query ended by an error with a name of Spark's, the causes are only in Java's trace.
    """
    lines = str(error).splitlines() or [type(error).__name__]
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
    said = " ".join(causes(error)).lower()
    return any(sign in said for sign in _TRANSIENT)


def are_records_gone(text: str) -> bool:
    """Return whether an error says that records are gone that a query had not read."""
    lowered = text.lower()
    return any(sign in lowered for sign in _RECORDS_ARE_GONE)


def advice(caused_by: Sequence[str]) -> str:
    """Return what to do about what an error was caused by, the innermost cause last."""
    lowered = caused_by[-1].lower()
    if "delta_missing_files_unexpected_version" in lowered:
        return (
            "The table's log no longer has the commit that the query read last: it was stopped for "
            "longer than NEST_VERSION_RETENTION. `nest repair camera_status` or `nest repair "
            "alerts`, whichever query this is, lets it go on."
        )
    if any(sign in lowered for sign in _NO_ANSWER):
        all_causes = " ".join(caused_by).lower()
        is_of_store = any(sign in all_causes for sign in _OBJECT_STORE)
        return _NO_OBJECT_STORE if is_of_store else _NO_KAFKA
    if are_records_gone(lowered):
        return (
            "Records that the query had not read yet are gone from Kafka, or the topic was created "
            "again. To go on without them, set NEST_FAIL_ON_DATA_LOSS=false; to begin again with "
            "nothing, run `nest reset`."
        )
    if "kafka.sql" in lowered or "failed to find data source" in lowered:
        return "The connector's jars are missing: `nest jars` fetches them."
    if "modulenotfounderror" in lowered or "cannot run program" in lowered:
        return (
            "The executors' Python lacks what the pipeline needs. Send the environment along that "
            "`make package` builds: docs/cluster.md has the command."
        )
    if "outofmemory" in lowered or "java heap space" in lowered:
        return (
            "Give Spark more memory with NEST_SPARK_MEMORY, or keep the sightings on disk: rebuild "
            "the counts with NEST_STATE_STORE=rocksdb and `nest pipeline --rebuild-counts`."
        )
    if "long overflow" in lowered:
        return (
            "A record of nest-logs has a timestamp so far away that Spark cannot read it. `nest "
            "pipeline` names it, and what to do."
        )
    if "system memory" in lowered and "must be at least" in lowered:
        return "NEST_SPARK_MEMORY is less than Spark needs: set it to 1g or more."
    if "classnotfound" in lowered or "noclassdeffound" in lowered:
        return "A jar is missing: `nest jars` fetches those that are."
    if any(sign in lowered for sign in _NOT_WRITABLE):
        return (
            "NEST_LAKE and NEST_CHECKPOINTS must be folders that this user can write. Nothing is "
            "lost: mend that and start again."
        )
    if ".parquet" in lowered and ("does not exist" in lowered or "filenotfound" in lowered):
        found = _DATA_FILE.search(lowered)
        return _FILE_IS_GONE.get(found[1] if found else "", _OLD_FILE_IS_GONE)
    if "no space left" in lowered or "file too large" in lowered:  # the latter: a limit of size
        return "Make room on the disk and start again; nothing is lost."
    return "Start again with NEST_LOG_LEVEL=info to see more; what was read so far is not lost."


_OLD_FILE_IS_GONE = (
    "A file of a Delta table that the query had not read yet is gone, for example by VACUUM after "
    "a long standstill. `nest repair camera_status` builds that table anew and lets the alerts go "
    "on."
)
_NEW_TABLES = (
    "`nest repair archive --new-tables` sets the tables camera and quarantine aside and writes "
    "them anew from nest-logs."
)
_FILE_IS_GONE = {
    "quarantine": f"A file of the table quarantine is gone. {_NEW_TABLES}",
    "camera": (
        "A file of the table camera is gone. If the query camera_status had not read it yet, and "
        "VACUUM has deleted it after a long standstill, `nest repair camera_status` is enough: it "
        f"builds that table anew. In any other case {_NEW_TABLES}"
    ),
}
"""What to do, by the table in whose folder the file was."""
_NO_OBJECT_STORE = (
    "The object store did not answer. Check that it runs and that NEST_S3_ENDPOINT is right. "
    "Nothing is lost."
)
_NO_KAFKA = (
    "Kafka did not answer. Check that the broker runs and that NEST_BOOTSTRAP_SERVERS is right."
)
