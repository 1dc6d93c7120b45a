"""A drill does to Kafka what it says, and has an end on the charts."""

from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

import pytest

from contract.errors import UserError
from contract.kafka.connections import open_consumer
from contract.kafka.log_offsets import end_offsets
from contract.progress import ProgressLog
from contract.settings import Settings
from demo.drills.registry import find_drill
from demo.drills.running_demo import RunningDemo
from demo.drills.service_control import CommandResult

pytestmark = pytest.mark.kafka


class NoServices:
    """A demo of which only Kafka runs."""

    def kill(self, *services: str) -> None:
        pass

    def kill_java(self, service: str) -> None:
        pass

    def stopped(self, service: str) -> AbstractContextManager[None]:
        return nullcontext()

    def full_disk(self, service: str) -> AbstractContextManager[None]:
        return nullcontext()

    def nest(self, *words: str) -> CommandResult:
        return CommandResult(0, "", "")


def test_a_topic_that_was_created_again_is_longer_in_each_partition(
    fresh_topics: str, tmp_path: Path
) -> None:
    """Of a shorter partition Spark itself would notice that it is not the old one."""
    settings = Settings(bootstrap_servers=fresh_topics, state=tmp_path)
    demo = RunningDemo(settings, NoServices())
    demo.send([b"{}"] * 100, (b"%d" % number for number in range(100)))
    before = end_offsets(settings.kafka)
    list(find_drill("topic-recreated").disturb(demo))
    after = end_offsets(settings.kafka)
    assert min(before.values()) > 0
    assert all(after[number] > end for number, end in before.items())


@pytest.mark.parametrize("cut", [KeyboardInterrupt(), UserError("It did not come back.")])
def test_a_drill_that_is_cut_short_ends_on_the_charts(
    fresh_topics: str, tmp_path: Path, cut: BaseException
) -> None:
    settings = Settings(bootstrap_servers=fresh_topics, state=tmp_path)
    with (
        pytest.raises(type(cut)),
        RunningDemo(settings, NoServices()).marked("kill-kafka"),
    ):
        raise cut
    progress = ProgressLog()
    with open_consumer(settings.kafka) as consumer:
        progress.refresh(consumer)
    (mark,) = progress.drills.values()
    assert mark.drill == "kill-kafka"
    assert mark.ended_at is not None
