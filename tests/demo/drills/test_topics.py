"""The drills that take records away do to Kafka what they say."""

from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

import pytest

from contract.kafka.log_offsets import end_offsets
from contract.settings import Settings
from demo.drills.registry import find_drill
from demo.drills.running_demo import RunningDemo
from demo.drills.service_control import CommandResult

pytestmark = pytest.mark.kafka


class NoServices:
    """A demo of which only Kafka runs."""

    def kill(self, *services: str) -> None:
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
