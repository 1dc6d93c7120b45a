"""Stopped, started and killed in the middle, the pipeline loses nothing and doubles nothing."""

import os
import signal
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from kafka import KafkaConsumer, TopicPartition

from check import run_check
from contract.kafka.connections import open_consumer
from contract.polling import poll_until
from contract.progress import ProgressLog
from contract.settings import Settings
from contract.topics import NEST_LOGS
from tests.fixtures.nest_command import nest_process
from tests.pipeline.queries.runs import run_to_end

pytestmark = [pytest.mark.spark, pytest.mark.kafka]

MESSAGES = 3_200


@pytest.fixture
def consumer(fresh_topics: str) -> Iterator[KafkaConsumer]:
    with open_consumer(fresh_topics) as consumer:
        yield consumer


def test_the_sequence_is_continuous_through_stop_start_and_kill(
    fresh_topics: str, consumer: KafkaConsumer, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    progress = ProgressLog()
    settings = Settings(
        bootstrap_servers=fresh_topics,
        lake=str(tmp_path / "lake"),
        checkpoints=str(tmp_path / "checkpoints"),
    )
    environment = {
        "NEST_BOOTSTRAP_SERVERS": fresh_topics,
        "NEST_LAKE": settings.lake,
        "NEST_CHECKPOINTS": settings.checkpoints,
        "NEST_ARCHIVE_TRIGGER": "1 second",
        "NEST_STATUS_TRIGGER": "5 seconds",
        "NEST_ALERTS_TRIGGER": "5 seconds",
        "NEST_MAX_OFFSETS_PER_TRIGGER": "400",  # many small batches, so that one is always running
        "NEST_SPARK_UI_PORT": "0",
        "NEST_DIRT_MALFORMED": "0.01",
        "NEST_DIRT_DUPLICATE": "0.01",
    }
    log = tmp_path / "log"

    def committed(query: str) -> int:
        return sum(progress.committed_now(consumer, query).values())

    def both_have_begun() -> bool:
        return all(committed(query) for query in ("archive", "stats"))

    def wait_for(
        condition: Callable[[], bool], what: str, pipeline: subprocess.Popen[bytes]
    ) -> None:
        def came() -> bool:
            assert pipeline.poll() is None, f"the pipeline ended:\n{log.read_text()[-4000:]}"
            return condition()

        try:
            poll_until(came, what, 300)
        except TimeoutError:
            pytest.fail(f"{what} did not come:\n{log.read_text()[-4000:]}")

    with nest_process("produce", "--messages", str(MESSAGES), log=log, **environment) as producer:
        with nest_process("pipeline", log=log, **environment) as pipeline:
            wait_for(both_have_begun, "the first batches", pipeline)
            os.killpg(pipeline.pid, signal.SIGTERM)  # the JVM gets it, too, as under systemd
            assert pipeline.wait(60) == 0, log.read_text()[-2000:]
            assert "Traceback" not in log.read_text()
        stopped_at = committed("archive")
        with nest_process("pipeline", log=log, **environment) as pipeline:
            wait_for(
                lambda: committed("archive") > stopped_at,
                "a batch after the restart",
                pipeline,
            )
            pipeline.kill()
        assert producer.wait(300) == 0, log.read_text()[-2000:]
    stopped_at = committed("archive")
    log = tmp_path / "log-of-a-run-to-the-end"
    with nest_process("pipeline", "--once", log=log, **environment) as pipeline:
        wait_for(lambda: committed("archive") > stopped_at, "a batch", pipeline)
        os.killpg(pipeline.pid, signal.SIGTERM)
        assert pipeline.wait(60) == 128 + signal.SIGTERM, log.read_text()[-2000:]
        assert log.read_text().endswith("Stopped; the next start goes on from there.\n")
    # Spark starts here: beside those of the processes it would take too much memory.
    run_to_end(request.getfixturevalue("spark"), settings, queries=None)

    verdict = run_check(settings)
    assert verdict.holds, [each for each in verdict.comparisons if not each.holds]
    assert "camera_status rows that are stale" in {each.what for each in verdict.comparisons}
    ends = consumer.end_offsets([TopicPartition(NEST_LOGS.name, n) for n in range(4)])
    assert committed("archive") == committed("stats") == sum(ends.values())
    assert sum(ends.values()) >= MESSAGES
