"""A refusal is one line that says what was refused."""

import pytest

from examples.error_text import in_one_line

IN_A_BATCH = """\
[STREAM_FAILED] Query [id = 1, runId = 2] terminated with exception: \
[FOREACH_BATCH_USER_FUNCTION_ERROR] An error occurred. Reason: An exception was raised by the \
Python Proxy. Return Message: Traceback (most recent call last):
  File "clientserver.py", line 644, in _call_proxy
py4j.protocol.Py4JJavaError: An error occurred while calling o135.collectToPython.
: org.apache.spark.sql.kafka010.KafkaIllegalStateException: Some data may have been lost.
Reason: Could not read offsets [2, 6).
\tat org.apache.spark.sql.kafka010.KafkaExceptions$.couldNotReadOffsetRange(KafkaExceptions.scala)
Caused by: org.apache.kafka.clients.consumer.OffsetOutOfRangeException: Fetch position 2
\tat org.apache.kafka.clients.consumer.Fetch"""

IN_A_TASK = """\
[STREAM_FAILED] Query [id = 1, runId = 2] terminated with exception: Job aborted due to stage \
failure: Task 0 in stage 3.0 failed 1 times, most recent failure: Lost task 0.0 in stage 3.0 \
(TID 3) (127.0.0.1 executor driver): org.apache.kafka.common.InvalidRecordException: No key.

Driver stacktrace: SQLSTATE: XXKST
=== Streaming Query ===
Identifier: [id = 1]"""

OF_THE_QUERY = """\
[STREAM_FAILED] Query [id = 1, runId = 2] terminated with exception: Offset changed from 4
to 1. SQLSTATE: XXKST
=== Streaming Query ===
Identifier: [id = 1]"""


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            IN_A_BATCH,
            "Some data may have been lost. Reason: Could not read offsets [2, 6).",
        ),
        (IN_A_TASK, "No key."),
        (OF_THE_QUERY, "Offset changed from 4 to 1."),
        ("Only one option.", "Only one option."),
        ("No aggregates.;\n~Aggregate [key#1]\n+- Relation", "No aggregates."),
        ("", "ValueError"),
    ],
)
def test_an_error_is_the_message_that_says_most(text: str, message: str) -> None:
    assert in_one_line(ValueError(text)) == message
