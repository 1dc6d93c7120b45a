"""What to do about a failure, by what its innermost cause says."""

import re
from collections.abc import Sequence

from pipeline.spark.failures import NOT_WRITABLE, RECORDS_ARE_GONE, without_paths

_NO_ANSWER = "timeout|connection|disconnect|bootstrap"
_OBJECT_STORE = "s3a|sdkclientexception|amazonaws|awssdk"
"""What the causes of an error name that is about an object store."""
_NO_OBJECT_STORE = (
    "The object store did not answer. Check that it runs and that NEST_S3_ENDPOINT is right. "
    "Nothing is lost."
)
_NO_KAFKA = (
    "Kafka did not answer. Check that the broker runs and that NEST_BOOTSTRAP_SERVERS is right."
)

LEAVE_THE_HEAP = (
    "With NEST_STATE_STORE=heap the sightings are in memory, too: set it to rocksdb and run `nest "
    "pipeline --rebuild-counts`."
)
"""What a JVM that ran out of memory may need, if somebody has chosen to keep the state there."""

_ADVICE = {
    RECORDS_ARE_GONE: (
        "Records that the query had not read yet are gone from Kafka, or the topic was created "
        "again. To go on without them, set NEST_FAIL_ON_DATA_LOSS=false; to begin again with "
        "nothing, run `nest reset`."
    ),
    r"kafka\.sql|failed to find data source": (
        "The connector's jars are missing: `nest jars` fetches them."
    ),
    "modulenotfounderror|cannot run program": (
        "The executors' Python lacks what the pipeline needs. Send the environment along that "
        "`make package` builds: docs/cluster.md has the command."
    ),
    "outofmemory|java heap space": (
        f"Give Spark more memory, for example NEST_SPARK_MEMORY=2g. {LEAVE_THE_HEAP}"
    ),
    "long overflow": (
        "A record of nest-logs has a timestamp so far away that Spark cannot read it. `nest "
        "pipeline` names it, and what to do."
    ),
    "system memory .*must be at least": (
        "NEST_SPARK_MEMORY is less than Spark needs: set it to 1g or more."
    ),
    "classnotfound|noclassdeffound": "A jar is missing: `nest jars` fetches those that are.",
    NOT_WRITABLE: (
        "NEST_LAKE and NEST_CHECKPOINTS must be folders that this user can write. Nothing is "
        "lost: mend that and start again."
    ),
    "no space left|file too large": (  # the latter: a limit of size
        "Make room on the disk and start again; nothing is lost."
    ),
}
"""By a pattern of what the cause says in lower case; the first one that is found counts."""
_UNKNOWN = "Start again with NEST_LOG_LEVEL=info to see more; what was read so far is not lost."

_FILE_IS_GONE = r"(?=.*\.parquet).*(does not exist|filenotfound)"
_DATA_FILE = re.compile(r"/(\w+)/[^/\s]+\.parquet")
"""A file of a table, and the folder that it is in: the table's name, or ``_change_data``."""
_NEW_TABLES = (
    "`nest repair archive --new-tables` sets the tables camera and quarantine aside and writes "
    "them anew from nest-logs."
)
_GONE_FILE_OF = {
    "quarantine": f"A file of the table quarantine is gone. {_NEW_TABLES}",
    "camera": (
        "A file of the table camera is gone. If the query camera_status had not read it yet, and "
        "VACUUM has deleted it after a long standstill, `nest repair camera_status` is enough: it "
        f"builds that table anew. In any other case {_NEW_TABLES}"
    ),
}
"""What to do, by the table in whose folder the file was."""
_GONE_FILE_OF_A_STREAM = (
    "A file of a Delta table that the query had not read yet is gone, for example by VACUUM after "
    "a long standstill. `nest repair camera_status` builds that table anew and lets the alerts go "
    "on."
)


def advice(caused_by: Sequence[str]) -> str:
    """Return what to do about what an error was caused by, the innermost cause last."""
    cause = caused_by[-1].lower()
    if re.search(_NO_ANSWER, without_paths(cause)):
        is_of_store = re.search(_OBJECT_STORE, " ".join(caused_by).lower())
        return _NO_OBJECT_STORE if is_of_store else _NO_KAFKA
    for pattern, what_to_do in _ADVICE.items():
        if re.search(pattern, cause):
            return what_to_do
    if re.search(_FILE_IS_GONE, cause):
        file = _DATA_FILE.search(cause)
        return _GONE_FILE_OF.get(file[1] if file else "", _GONE_FILE_OF_A_STREAM)
    return _UNKNOWN
