"""Runs that several tests begin from: made once, and each test goes on with a copy.

Nothing in a lake or a checkpoint says where it lies, so a copy goes on as the run itself would.
"""

import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from pyspark.sql import SparkSession

from contract.kafka.connections import open_admin, open_consumer, partitions_of
from contract.progress import ProgressLog
from contract.queries import Query
from contract.settings import Settings
from contract.topics import PIPELINE_PROGRESS, TOPICS
from tests.pipeline.queries.runs import new_settings

_TOPICS = [topic.name for topic in TOPICS if topic is not PIPELINE_PROGRESS]
"""All but the one that each run of a query adds to: of it, what stats has counted is compared."""


class SharedRun:
    """A run that is made when it is first asked for, and anew if its topics have changed since.

    So tests hold in any order and alone. One that writes to Kafka, or renews the topics, costs the
    next one the making of the run; those that leave the topics alone best stand side by side.
    """

    def __init__(self, bootstrap: str, begin: Callable[[Settings], None], stack: ExitStack) -> None:
        self._bootstrap, self._begin, self._stack = bootstrap, begin, stack
        self._settings: Settings | None = None
        self._topics: dict[str, object] = {}

    def copy(self, of: Callable[[Settings], Settings] | None = None) -> Settings:
        """Copy the run, or the one beside it that ``of`` names, to a folder of the test's own."""
        if self._settings is None or topics_now(self._bootstrap) != self._topics:
            self._settings = None
            settings = self._stack.enter_context(new_settings(self._bootstrap))
            self._begin(settings)
            self._settings, self._topics = settings, topics_now(self._bootstrap)
        folder = self._stack.enter_context(TemporaryDirectory())
        return copy_run(of(self._settings) if of else self._settings, Path(folder))


def shared_run(begin: Callable[[SparkSession, Settings], None]) -> Any:
    """Return a module's fixture: the run that ``begin`` makes of empty topics and an empty lake."""

    @pytest.fixture(scope="module")
    def run(spark: SparkSession, bootstrap_servers: str) -> Iterator[SharedRun]:
        with ExitStack() as stack:
            yield SharedRun(bootstrap_servers, partial(begin, spark), stack)

    return run


def copy_run(settings: Settings, folder: Path) -> Settings:
    """Copy lake, checkpoints and device locations, with the checksums that lie beside files."""
    copies = {name: folder / name for name in ("lake", "checkpoints")}
    for name, copy in copies.items():
        if Path(getattr(settings, name)).exists():  # stats alone makes no lake
            shutil.copytree(getattr(settings, name), copy)
    copies["device_locations"] = folder / "device_locations.csv"
    shutil.copy(settings.device_locations, copies["device_locations"])
    return settings.model_copy(update={name: str(copy) for name, copy in copies.items()})


def topics_now(bootstrap: str) -> dict[str, object]:
    """Return by topic its id and offsets, and what was counted: the same if nobody has written."""
    with open_admin(bootstrap) as admin:
        ids = {each["name"]: each["topic_id"] for each in admin.describe_topics(_TOPICS)}
    progress = ProgressLog()
    with open_consumer(bootstrap) as consumer:
        progress.refresh(consumer)
        partitions = {name: partitions_of(consumer, name) for name in _TOPICS}
        found: dict[str, object] = {
            name: (ids[name], consumer.beginning_offsets(each), consumer.end_offsets(each))
            for name, each in partitions.items()
        }
    counted = progress.latest.get(Query.STATS)
    return found | {PIPELINE_PROGRESS.name: counted and counted.end_offsets}
