"""What a query died of is named in one line, with advice that fits."""

import pytest

from pipeline.spark.failure_advice import advice
from pipeline.spark.failures import causes, is_transient, root_cause


def test_the_root_cause_is_the_innermost_exception() -> None:
    error = RuntimeError(
        "[STREAM_FAILED] Query terminated with exception: Job aborted\n"
        "org.apache.spark.SparkException: Job aborted due to stage failure\n"
        "\tat org.apache.spark.scheduler.DAGScheduler.abortStage(DAGScheduler.scala:1)\n"
        "Caused by: java.io.IOException: No space left on device\n"
        "\tat java.base/java.io.FileOutputStream.write(FileOutputStream.java:1)"
    )
    assert root_cause(error) == "java.io.IOException: No space left on device"


def test_the_cause_is_found_behind_what_python_says_of_any_error_in_java() -> None:
    error = RuntimeError(
        "py4j.protocol.Py4JJavaError: An error occurred while calling o401.execute.\n"
        ": java.io.IOException: Unable to create /lake/camera/_delta_log: Permission denied\n"
        "\tat org.apache.spark.sql.delta.DeltaLog.createLogDirs(DeltaLog.scala:1)"
    )
    assert root_cause(error).startswith("java.io.IOException: Unable to create /lake/camera")
    assert "NEST_LAKE" in advice(causes(error))


def test_a_folder_is_not_taken_for_the_reason() -> None:
    missing = "java.io.FileNotFoundException: File /data/connections/stats/offsets/3 does not exist"
    assert not is_transient(RuntimeError(missing))
    assert is_transient(RuntimeError(f"{missing}: connection reset by peer"))


def test_an_error_without_a_stack_trace_is_its_own_cause() -> None:
    assert root_cause(RuntimeError("a lasting fault")) == "a lasting fault"
    assert root_cause(KeyError()) == "KeyError"


def test_the_first_line_that_says_something_is_the_cause() -> None:
    error = RuntimeError("\n[PARSE_SYNTAX_ERROR] Syntax error at or near 's'. (line 1, pos 9)\n")
    assert root_cause(error) == "[PARSE_SYNTAX_ERROR] Syntax error at or near 's'. (line 1, pos 9)"
    assert causes(RuntimeError(" \n\n")) == ["RuntimeError"]


@pytest.mark.parametrize(
    ("cause", "expected"),
    [
        ("TimeoutException: Call(callName=listOffsets) timed out", "Kafka did not answer"),
        ("DisconnectException: Cancelled listOffsets request", "Kafka did not answer"),
        ("IllegalStateException: Partition offset was changed from 9 to 2", "nest reset"),
        ("FileNotFoundException: /workspaces/lake (Permission denied)", "NEST_LAKE"),
        ("ArithmeticException: / by zero", "Start again"),
        (
            "FileNotFoundException: File file:/connections/camera/part-0.parquet does not exist",
            "nest repair archive --new-tables",
        ),
        ("IOException: No space left on device", "Make room"),
        (
            "IllegalArgumentException: System memory 259522560 must be at least 471859200.",
            "NEST_SPARK_MEMORY is less",
        ),
        ("FileNotFoundException: /lake/camera/part-0.parquet (Permission denied)", "NEST_LAKE"),
        (
            "FileNotFoundException: File file:/lake/camera/part-0.parquet does not exist",
            "nest repair archive --new-tables",
        ),
        (
            "FileNotFoundException: File file:/camera/quarantine/part-0.parquet does not exist",
            "quarantine is gone. `nest repair archive --new-tables",
        ),
        (
            "FileNotFoundException: File file:/camera/camera_status/part-0.parquet does not exist",
            "`nest repair camera_status` builds that table anew and lets the alerts go on",
        ),
        (
            "File file:/lake/camera/camera_status/_change_data/cdc-0.parquet does not exist",
            "`nest repair camera_status` builds that table anew and lets the alerts go on",
        ),
        ("java.lang.OutOfMemoryError: Java heap space", "With NEST_STATE_STORE=heap the"),
    ],
)
def test_advice_fits_the_cause_and_gives_up_data_only_where_it_is_gone(
    cause: str, expected: str
) -> None:
    assert expected in advice([cause])


def test_a_store_that_does_not_answer_is_not_taken_for_kafka() -> None:
    found = [
        "org.apache.hadoop.net.ConnectTimeoutException: getFileStatus on s3a://bucket/lake",
        "java.net.ConnectException: Connection refused",
    ]
    assert "NEST_S3_ENDPOINT" in advice(found)
    assert "Kafka did not answer" in advice(found[1:])
