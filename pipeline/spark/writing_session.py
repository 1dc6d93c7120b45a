"""A Spark session of the only application that writes the counts and tables, with all topics."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from pyspark.sql import SparkSession
from tenacity import (
    Retrying,
    retry_if_exception_type,
    sleep_using_event,
    stop_after_delay,
    stop_when_event_set,
    wait_fixed,
)

from contract.connections import open_consumer, partitions_of
from contract.errors import UserError
from contract.kafka_acls import topic_operations
from contract.kafka_rights import require_rights
from contract.kafka_users import PIPELINE
from contract.settings import Settings
from contract.topics import TOPICS
from pipeline.spark.jvm import explained_failures, stop_session
from pipeline.spark.lock import pipeline_lock
from pipeline.spark.session import build_session
from pipeline.spark.writable_folders import require_writable_folders


@contextmanager
def writing_session(
    settings: Settings,
    *,
    live: bool = False,
    wait_s: float = 0,
    stopping: threading.Event | None = None,
) -> Iterator[SparkSession]:
    """Hold the checkpoints' lock and open a session.

    With ``wait_s`` Spark starts first, and then the topics have so many seconds to be there, or
    until ``stopping`` is set. Raises UserError while another pipeline runs, and where Kafka, a
    topic, a right or a folder is missing.
    """
    if not wait_s:
        _require_topics(settings)
    require_writable_folders(settings)
    with pipeline_lock(settings), explained_failures():
        spark = build_session(settings, live=live)
        try:
            if wait_s:
                _wait_for_topics(settings, wait_s, stopping or threading.Event())
            yield spark
        finally:
            stop_session(spark)


def _wait_for_topics(settings: Settings, seconds: float, stopping: threading.Event) -> None:
    """Ask for the topics until they are there; after ``seconds`` raise what is wrong with them."""
    asking = Retrying(
        retry=retry_if_exception_type(UserError),
        stop=stop_after_delay(seconds) | stop_when_event_set(stopping),
        wait=wait_fixed(0.3),
        sleep=sleep_using_event(stopping),
        reraise=True,
    )
    try:
        asking(_require_topics, settings)
    except UserError:
        if not stopping.is_set():
            raise


def _require_topics(settings: Settings) -> None:
    with open_consumer(settings.kafka) as consumer:
        for topic in TOPICS:
            partitions_of(consumer, topic.name)
    require_rights(settings.kafka, topic_operations(PIPELINE))
