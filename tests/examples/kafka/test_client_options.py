"""Options with the prefix kafka. reach Kafka's client, except those that Spark needs itself."""

from io import StringIO

import pytest
from rich.console import Console

from examples.kafka.client_options import run
from examples.playground import Playground

pytestmark = [pytest.mark.spark, pytest.mark.kafka]


def test_options_reach_kafkas_client_except_those_that_spark_needs(playground: Playground) -> None:
    playground.console = Console(width=80, file=StringIO())
    observed = run(playground)
    printed = playground.console.file.getvalue()  # type: ignore[attr-defined]
    assert all(f"│ {option} " in printed for option in observed.answers)
    assert observed.uncommitted == ["aborted", "committed"]
    assert observed.committed == ["committed"]
    assert "Invalid value -1 for configuration max.partition.fetch.bytes" in observed.wrong_size
    assert observed.one_group == [40, 40]
    assert observed.answers.pop("kafka.group.id") == "accepted"
    assert len(observed.answers) == 7
    for option, answer in observed.answers.items():
        assert f"'{option.removeprefix('kafka.')}' is not supported" in answer
    assert observed.timestamp_types == {"CreateTime": 0, "LogAppendTime": 1}
