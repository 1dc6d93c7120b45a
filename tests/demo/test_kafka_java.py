"""Paths with odd characters reach Kafka as they are, or are refused."""

from pathlib import Path

import pytest

from contract.errors import UserError
from contract.settings import Settings
from demo.stack.broker import Broker
from demo.stack.kafka_java import as_java_property


def test_a_value_of_javas_properties_is_ascii() -> None:
    assert as_java_property(r"/tmp/a b\c") == r"/tmp/a b\\c"
    assert as_java_property("/tmp/josé/🏠") == r"/tmp/jos\u00e9/\ud83c\udfe0"


@pytest.mark.parametrize("name", ["a,b", "a:b"])
def test_a_path_that_java_would_read_as_two_is_refused(tmp_path: Path, name: str) -> None:
    for settings, data in (
        (Settings(state=tmp_path / name), tmp_path / "data"),
        (Settings(state=tmp_path / "state"), tmp_path / name),
    ):
        with pytest.raises(UserError, match=f"{name} cannot hold Kafka"):
            Broker(settings, data, tmp_path / "log")
