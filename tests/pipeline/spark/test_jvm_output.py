"""What is passed on of what Spark's Java process, and its Python workers, write."""

import io
import os
from collections.abc import Iterator

import pytest

from pipeline.spark.jvm_output import JvmOutput, without_noise

TRACE = """Traceback (most recent call last):
  File "{file}", line 262, in manager
    code = worker(sock, authenticated)
           ^^^^^^^^^^^^^^^^^^^^^^^^^^^
{error}
"""
WORDS = "archive is restarting: No space left on device (attempt 2, in 2 s)\n"


def passed_on(text: str) -> str:
    return "".join(without_noise(io.StringIO(text)))


def test_the_trace_of_a_worker_whose_task_has_ended_is_not_passed_on():
    for error in ("BrokenPipeError: [Errno 32] Broken pipe", "ConnectionResetError: [Errno 104]"):
        noise = TRACE.format(file="/lib/pyspark/daemon.py", error=error)
        assert passed_on(noise + noise + WORDS + noise) == WORDS


def test_the_trace_of_an_error_that_was_raised_while_such_a_one_was_handled_is_not_passed_on():
    noise = TRACE.format(file="/lib/pyspark/daemon.py", error="BrokenPipeError: [Errno 32]")
    between = "\nDuring handling of the above exception, another exception occurred:\n\n"
    assert passed_on(noise + between + noise + WORDS) == WORDS
    assert passed_on(WORDS + between + WORDS) == WORDS + between + WORDS


def test_every_other_trace_is_passed_on_whole():
    for file, error in (
        ("/lib/pyspark/daemon.py", "MemoryError"),
        ("/lib/pipeline/parsing/parser.py", "BrokenPipeError: [Errno 32] Broken pipe"),
    ):
        trace = TRACE.format(file=file, error=error)
        assert passed_on(WORDS + trace + WORDS) == WORDS + trace + WORDS
        cut = trace.rpartition(error)[0]
        assert passed_on(WORDS + cut) == WORDS + cut


def test_a_line_is_passed_on_before_the_next_one_comes():
    def lines() -> Iterator[str]:
        yield WORDS
        pytest.fail("the first line was not passed on")

    assert next(without_noise(lines())) == WORDS


def test_what_java_says_is_printed_and_its_last_line_is_kept(capfd):
    reading, writing = os.pipe()
    output = JvmOutput(reading)
    output.show()
    with os.fdopen(writing, "w") as jvm:
        jvm.write(f"WARNING: Using incubator modules: jdk.incubator.vector\n{WORDS}\n")
    output.join()
    assert capfd.readouterr().err == f"{WORDS}\n"
    assert output.last_line() == WORDS.strip()
