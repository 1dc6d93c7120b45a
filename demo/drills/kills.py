"""Drills that kill or stop services at the worst moments; each is survived without a hand."""

import json
import time
from collections.abc import Callable, Iterator

from contract.kafka.log_offsets import end_offsets
from contract.lake import CAMERA, QUARANTINE
from contract.queries import Query
from demo.drills.archive_progress import archive_progress, newest_commit, newest_number
from demo.drills.drill import Drill
from demo.drills.running_demo import RunningDemo
from demo.drills.service_control import KAFKA, PIPELINE, PRODUCER
from demo.drills.wait_for_demo import wait_for_demo

_AWAY_S = 60.0
_MOMENT_S = 120.0
_TRIES = 3
_PAIRS = 500
_LAG_GROWS = "on Live the lag grows until the pipeline is back, then falls to nothing"
_KAFKA_AWAY = "the dashboard says that Kafka is unavailable"
_ONCE_ONLY = "`camera` and `quarantine` are exactly-once through kills"
_BATCH_AGAIN = (
    "The pipeline is started again, and runs the batch again from the same offsets. A table that "
    "has the batch already skips it."
)


def _kill_in_a_batch(demo: RunningDemo) -> Iterator[str]:
    yield from _wait_for_a_batch(demo)
    demo.kill(PIPELINE)
    yield "The pipeline was killed while a batch of the archive ran, and runs again."


def _kill_java_in_a_batch(demo: RunningDemo) -> Iterator[str]:
    yield from _wait_for_a_batch(demo)
    demo.kill_java(PIPELINE)
    yield "Spark's Java was killed while a batch of the archive ran, and the pipeline runs again."


def _wait_for_a_batch(demo: RunningDemo) -> Iterator[str]:
    checkpoint = demo.checkpoints / Query.ARCHIVE
    yield _send_batch(demo)
    _wait(
        lambda: newest_number(checkpoint / "offsets") > newest_number(checkpoint / "commits"),
        "a batch of the archive",
    )


def _kill_between_tables(demo: RunningDemo) -> Iterator[str]:
    yield from _kill_after_commit(
        demo, CAMERA, lambda batch, stage: stage.in_quarantine < batch, "between the two tables"
    )


def _kill_before_commit(demo: RunningDemo) -> Iterator[str]:
    yield from _kill_after_commit(
        demo, QUARANTINE, lambda batch, stage: stage.committed < batch, "before the commit"
    )


def _kill_after_commit(
    demo: RunningDemo, table: str, was_hit: Callable[..., bool], moment: str
) -> Iterator[str]:
    """Kill the pipeline as soon as a table has a new version; try again if that came too late."""
    for _ in range(_TRIES):
        before = newest_commit(demo.lake / table)
        yield _send_batch(demo)
        _wait(lambda before=before: newest_commit(demo.lake / table) != before, "a commit")  # type: ignore[misc]
        demo.kill(PIPELINE)
        stage = archive_progress(demo)
        yield f"The pipeline was killed after a commit to {table}. {stage.sentence()}"
        if was_hit(stage.planned, stage):
            return
    yield f"The kill never came {moment}: this machine is too quick. The check holds all the same."


def _kill_producer(demo: RunningDemo) -> Iterator[str]:
    demo.kill(PRODUCER)
    yield "The producer was killed and runs again: what it repeats counts once."


def _kill_kafka(demo: RunningDemo) -> Iterator[str]:
    demo.kill(KAFKA)
    yield "Kafka was killed and runs again. Producer and pipeline have waited for it."


def _kill_kafka_and_pipeline(demo: RunningDemo) -> Iterator[str]:
    demo.kill(KAFKA, PIPELINE)
    yield "Kafka and the pipeline were killed at once, and run again."


def _kill_all(demo: RunningDemo) -> Iterator[str]:
    demo.kill(KAFKA, PRODUCER, PIPELINE)
    yield "Kafka, producer and pipeline were killed at once, and run again."


def _stop_kafka(demo: RunningDemo) -> Iterator[str]:
    with demo.stopped(KAFKA):
        yield f"Kafka is stopped for {_AWAY_S:g} s."
        time.sleep(_AWAY_S)
    yield "Kafka runs again."
    before = sum(end_offsets(demo.settings.kafka).values())
    _wait(
        lambda: sum(end_offsets(demo.settings.kafka).values()) > before,
        "the producer's next message",
    )
    yield "The producer goes on."


def _send_batch(demo: RunningDemo) -> str:
    """Send enough for a batch with rows for both tables, and return what was sent."""
    camera = {"device_id": "drill", "is_online": True}
    whole = json.dumps({"devices": {"cameras": {"drill": camera}}}).encode()
    demo.send([whole, b"{ not JSON"] * _PAIRS)
    return (
        f"Sent {2 * _PAIRS:,} messages for a batch with rows for both tables: {_PAIRS:,} of the "
        "camera drill, and as many that are not JSON, for the quarantine."
    )


def _wait(condition: Callable[[], bool], what: str) -> None:
    wait_for_demo(condition, what, _MOMENT_S, interval=0.002)


DRILLS = (
    Drill(
        name="kill-pipeline",
        does="kill the pipeline with signal 9 while a batch of the archive runs",
        watch_for=_LAG_GROWS,
        heals=_BATCH_AGAIN,
        shows=_ONCE_ONLY,
        disturb=_kill_in_a_batch,
    ),
    Drill(
        name="kill-spark",
        does="kill Spark's Java with signal 9 while a batch of the archive runs",
        watch_for=_LAG_GROWS,
        heals=f"The pipeline says that its Java was killed, and ends. {_BATCH_AGAIN}",
        shows=_ONCE_ONLY,
        disturb=_kill_java_in_a_batch,
    ),
    Drill(
        name="kill-between-tables",
        does="kill the pipeline when a batch has been written to camera and not yet to quarantine",
        watch_for="on Lake both tables go on with the same batch",
        heals=_BATCH_AGAIN,
        shows=_ONCE_ONLY,
        disturb=_kill_between_tables,
    ),
    Drill(
        name="kill-before-commit",
        does="kill the pipeline when a batch has been written to both tables and not committed",
        watch_for="on Lake no version is there twice",
        heals=_BATCH_AGAIN,
        shows=_ONCE_ONLY,
        disturb=_kill_before_commit,
    ),
    Drill(
        name="kill-producer",
        does="kill the producer with signal 9",
        watch_for="on Live messages stop for some seconds",
        heals="The producer is started again, finds where it was, and sends a little again.",
        shows="a message that is sent again is counted once",
        disturb=_kill_producer,
    ),
    Drill(
        name="kill-kafka",
        does="kill Kafka with signal 9",
        watch_for=f"{_KAFKA_AWAY}, and goes on when it is back",
        heals="Kafka is started again and recovers its log. The others wait and go on.",
        shows="what Kafka has acknowledged is there after a kill",
        disturb=_kill_kafka,
    ),
    Drill(
        name="kill-kafka-and-pipeline",
        does="kill Kafka and the pipeline at once with signal 9",
        watch_for=f"{_KAFKA_AWAY}; then the lag grows and falls",
        heals=_BATCH_AGAIN,
        shows=_ONCE_ONLY,
        disturb=_kill_kafka_and_pipeline,
    ),
    Drill(
        name="kill-all",
        does="kill Kafka, producer and pipeline at once, as a power failure does",
        watch_for=f"{_KAFKA_AWAY}; then all goes on",
        heals=_BATCH_AGAIN,
        shows=_ONCE_ONLY,
        disturb=_kill_all,
    ),
    Drill(
        name="kafka-away",
        does="stop Kafka for a minute",
        watch_for=f"{_KAFKA_AWAY}; on Live there is a gap",
        heals="Queries that fail meanwhile are started again, and say so. The producer waits.",
        shows="nothing hangs in silence, and nothing is lost while a service is away",
        disturb=_stop_kafka,
    ),
)
