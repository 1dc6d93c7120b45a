"""The session that writes fits the topics as they are in Kafka."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from contract.settings import Settings
from contract.topics import NEST_LOGS
from pipeline.single_writer import writing_session as module
from pipeline.spark.task_slots import with_slots_for_real_time


def test_a_topic_with_more_partitions_than_the_setting_gets_a_slot_for_each(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    @contextmanager
    def open_consumer(kafka: Any) -> Iterator[Any]:
        yield SimpleNamespace(
            partitions_for_topic=lambda topic: set(range(12 if topic == NEST_LOGS.name else 1))
        )

    monkeypatch.setattr(module, "open_consumer", open_consumer)
    monkeypatch.setattr(module, "stop_session", lambda spark: None)
    monkeypatch.setattr(module, "build_session", lambda settings, live: settings)
    settings = Settings(
        spark_master="local[2]",
        partitions=4,
        lake=str(tmp_path / "lake"),
        checkpoints=str(tmp_path / "checkpoints"),
    )
    with module.writing_session(settings, live=True) as built:
        assert with_slots_for_real_time(built) == "local[14]"
