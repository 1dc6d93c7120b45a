"""What is said of a JVM that is gone, and what is not."""

import logging
import os
import subprocess

import pytest
from py4j.java_gateway import GatewayClient, GatewayParameters
from py4j.protocol import Py4JNetworkError

from pipeline.spark.jvm import Jvm, JvmEnded, is_connection_lost, mute_py4j
from pipeline.spark.jvm_output import JvmOutput


def test_a_connection_that_is_lost_is_raised_and_not_logged(
    caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    mute_py4j()
    client = GatewayClient(gateway_parameters=GatewayParameters(port=1))
    with pytest.raises((Py4JNetworkError, OSError)) as raised:
        client.send_command("c\nt\nping\ne\n")
    assert is_connection_lost(raised.value)
    logging.getLogger("py4j.clientserver").error("a traceback of py4j")
    logging.getLogger("kafka").warning("another one's warning")
    assert [record.message for record in caplog.records] == ["another one's warning"]
    assert "Traceback" not in capfd.readouterr().err


def test_what_others_log_is_still_heard_when_the_jvm_has_ended(
    caplog: pytest.LogCaptureFixture,
) -> None:
    reading, writing = os.pipe()
    os.close(writing)
    Jvm(subprocess.Popen(["cat"], stdin=subprocess.PIPE), JvmOutput(reading)).end()
    logging.getLogger("kafka").warning("a warning")
    assert [record.message for record in caplog.records] == ["a warning"]


@pytest.mark.parametrize(("code", "expected"), [(-9, 137), (-6, 134), (3, 1), (1, 1)])
def test_the_exit_code_says_which_signal_killed_java(code: int, expected: int) -> None:
    assert JvmEnded("Spark's Java process has ended.", code).exit_code == expected


@pytest.mark.parametrize("error", [PermissionError("checkpoints"), OSError(28, "No space left")])
def test_an_error_of_a_disk_is_no_end_of_the_jvm(error: OSError) -> None:
    assert not is_connection_lost(error)
