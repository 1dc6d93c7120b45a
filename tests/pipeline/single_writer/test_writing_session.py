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
    built = replace_kafka_and_spark(monkeypatch, partitions=12, records=0)
    settings = settings_in(tmp_path, spark_master="local[2]", partitions=4)
    with module.writing_session(settings, live=True):
        assert with_slots_for_real_time(built["settings"]) == "local[14]"


@pytest.mark.parametrize(("records", "is_short"), [(49_999, True), (50_000, False)])
def test_a_session_over_a_long_topic_has_the_thorough_compiler_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, records: int, is_short: bool
) -> None:
    built = replace_kafka_and_spark(monkeypatch, partitions=4, records=records)
    with module.writing_session(settings_in(tmp_path)):
        assert built["is_short"] == is_short


def settings_in(folder: Path, **others: Any) -> Settings:
    return Settings(lake=str(folder / "lake"), checkpoints=str(folder / "checkpoints"), **others)


def replace_kafka_and_spark(
    monkeypatch: pytest.MonkeyPatch, *, partitions: int, records: int
) -> dict[str, Any]:
    """Let nest-logs have so many partitions, and each of them so many records after the first 5.

    Returns a dictionary that gets the arguments that a session would be built with.
    """
    built: dict[str, Any] = {}

    @contextmanager
    def open_consumer(kafka: Any) -> Iterator[Any]:
        yield SimpleNamespace(
            partitions_for_topic=lambda topic: set(
                range(partitions if topic == NEST_LOGS.name else 1)
            ),
            beginning_offsets=lambda partitions: dict.fromkeys(partitions, 5),
            end_offsets=lambda partitions: dict.fromkeys(partitions, 5 + records),
        )

    def build_session(settings: Settings, **arguments: bool) -> None:
        built.update(arguments, settings=settings)

    monkeypatch.setattr(module, "open_consumer", open_consumer)
    monkeypatch.setattr(module, "stop_session", lambda spark: None)
    monkeypatch.setattr(module, "build_session", build_session)
    return built
