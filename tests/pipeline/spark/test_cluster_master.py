"""A Spark master that does not answer is one sentence, and not a minute of silence."""

import socket

import pytest

from contract.errors import UserError
from demo.stack.ports import LOOPBACK, free_port
from pipeline.spark.cluster_master import require_spark_master


def test_no_master_is_said_before_anything_starts() -> None:
    master = f"spark://{LOOPBACK}:{free_port()}"
    with pytest.raises(UserError, match=f"No Spark master answers at NEST_SPARK_MASTER={master}"):
        require_spark_master(master)


@pytest.mark.parametrize("master", ["spark://nowhere", "spark://127.0.0.1:99999", "spark://:0"])
def test_an_address_that_is_none_is_said(master: str) -> None:
    with pytest.raises(UserError, match="No Spark master answers"):
        require_spark_master(master)


def test_one_of_several_masters_is_enough() -> None:
    with socket.create_server((LOOPBACK, 0)) as server:
        port = server.getsockname()[1]
        require_spark_master(f"spark://{LOOPBACK}:{free_port()},{LOOPBACK}:{port}")
