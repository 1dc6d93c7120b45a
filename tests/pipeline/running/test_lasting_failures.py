"""A restart is left out only where it cannot help: for torn state, and not for a full disk."""

from typing import Any

import pytest

from contract.errors import NoBroker
from contract.queries import Query
from contract.settings import Settings
from pipeline.running.lasting_failures import lasting_failure
from pipeline.spark.failure_advice import advice
from pipeline.spark.failures import causes, root_cause

NO_SPARK: Any = None
CANNOT_LOAD = "[CANNOT_LOAD_STATE_STORE.UNCATEGORIZED] An error occurred during loading state."
LOAD = "\tat org.apache.spark.sql.errors.QueryExecutionErrors$.cannotLoadStore(Errors.scala:1)"
READ_SCHEMA = (
    "\tat java.base/java.io.DataInputStream.readUnsignedShort(DataInputStream.java:345)\n"
    "\tat org.apache.spark.sql.execution.streaming.state.StateSchemaCompatibilityChecker"
    ".getExistingKeyAndValueSchema(StateSchemaCompatibilityChecker.scala:1)"
)


class JavaCause:
    """What PySpark keeps of an exception of Java's."""

    def __init__(self, trace: str) -> None:
        self._stackTrace = trace


class QueryEnded(Exception):
    """A query's end as PySpark gives it: Spark's message, and the cause beside it."""

    def __init__(self, message: str, trace: str) -> None:
        super().__init__(
            f"[STREAM_FAILED] Query [id = 1] terminated with exception: {message}\n"
            "=== Streaming Query ===\nIdentifier: stats"
        )
        self._cause = JavaCause(trace)


def cannot_load(*causes: str) -> QueryEnded:
    caused = [f"Caused by: {cause}\n{LOAD}" for cause in causes]
    trace = "\n".join([f"org.apache.spark.SparkException: {CANNOT_LOAD}", LOAD, *caused])
    return QueryEnded(CANNOT_LOAD, trace)


@pytest.mark.parametrize(
    "error",
    [
        cannot_load("java.io.EOFException"),
        cannot_load("java.io.FileNotFoundException: /cp/stats/state/0/1/7.changelog is not there"),
        RuntimeError("java.lang.IllegalStateException: Error reading delta file /cp/7.delta of X"),
        QueryEnded("", f"java.io.EOFException\n{READ_SCHEMA}"),
    ],
)
def test_torn_state_is_named_with_the_command(error: Exception) -> None:
    failure = lasting_failure(NO_SPARK, Settings(), Query.STATS, error)
    assert failure
    assert "its state in .nest/checkpoints/stats cannot be read" in failure
    assert "`nest repair stats`" in failure


@pytest.mark.parametrize("query", [Query.CAMERA_STATUS, Query.ALERTS])
@pytest.mark.parametrize(
    "cause",
    [
        "Delta stream cannot resume from version 119; transaction log starts at 120",
        "The stream from your Delta table was expecting process data from version 2",
    ],
)
def test_a_log_without_the_commit_that_was_read_last_is_named_with_the_command(
    query: Query, cause: str
) -> None:
    named = f"DeltaIllegalStateException: [DELTA_MISSING_FILES_UNEXPECTED_VERSION] {cause}"
    failure = lasting_failure(NO_SPARK, Settings(), query, QueryEnded(named, ""))
    assert failure
    assert cause in failure
    assert f"`nest repair {query}`" in failure


@pytest.mark.parametrize(
    ("cause", "expected"),
    [
        ("org.rocksdb.RocksDBException: No space left on device", "Make room"),
        ("java.io.IOException: File too large", "Make room"),
        ("java.io.FileNotFoundException: /cp/7.sst (Permission denied)", "folders that this user"),
        ("java.net.SocketTimeoutException: Read timed out", ""),
        ("java.net.ConnectException: Connection refused", ""),
        ("software.amazon.awssdk.S3Exception: Slow down (Status Code: 503)", ""),
        ("java.lang.OutOfMemoryError: Java heap space", "NEST_SPARK_MEMORY"),
    ],
)
def test_a_disk_or_store_that_cannot_be_used_now_is_tried_again(cause: str, expected: str) -> None:
    error = cannot_load("java.io.IOException: it did not work", cause)
    assert lasting_failure(NO_SPARK, Settings(), Query.STATS, error) is None
    assert root_cause(error) == cause
    assert expected in advice(causes(error))


def test_a_thread_that_still_holds_the_state_is_waited_for() -> None:
    said = "[CANNOT_LOAD_STATE_STORE.UNRELEASED_THREAD_ERROR] stats: could not be acquired"
    error = QueryEnded(said, f"org.apache.spark.SparkException: {said}\n{LOAD}")
    assert lasting_failure(NO_SPARK, Settings(), Query.STATS, error) is None


def test_a_broker_that_is_away_refuses_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_broker(*_: object) -> None:
        raise NoBroker("No Kafka broker answers.")

    monkeypatch.setattr("pipeline.running.lasting_failures.require_rights", no_broker)
    refused = RuntimeError("org.apache.kafka.common.errors.SaslAuthenticationException: denied")
    assert lasting_failure(NO_SPARK, Settings(), Query.STATS, refused) is None


def test_the_name_of_a_file_is_no_sign_of_a_store_that_is_busy() -> None:
    error = cannot_load("java.io.IOException: Stream ended early: /cp/stats/state/0/0/503.delta")
    assert lasting_failure(NO_SPARK, Settings(), Query.STATS, error)
