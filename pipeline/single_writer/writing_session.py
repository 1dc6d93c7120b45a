"""A Spark session of the only application that writes the counts and tables: it has the locks."""

from collections.abc import Iterator
from contextlib import contextmanager

from pyspark.sql import SparkSession

from contract.kafka.acls import PIPELINE, topic_operations
from contract.kafka.connections import open_consumer, partitions_of
from contract.kafka.rights import require_rights
from contract.require_object_store import require_object_store
from contract.settings import Settings
from contract.topics import NEST_LOGS, TOPICS
from pipeline.single_writer.lock import pipeline_lock
from pipeline.single_writer.writable_folders import require_writable_folders
from pipeline.spark.jvm import explained_failures, stop_session
from pipeline.spark.reading_session import reading_session
from pipeline.spark.session import build_session

_SHORT_TOPIC = 200_000
"""Over more records than these the thorough compiler of Java saves more time than it takes."""


@contextmanager
def writing_session(settings: Settings, *, live: bool = False) -> Iterator[SparkSession]:
    """Hold the locks of checkpoints and lake, and open a session.

    Raises UserError while another pipeline runs, and where Kafka, a topic, a right or a folder is
    missing. A ``live`` session has task slots for the partitions that nest-logs has now, whatever
    NEST_PARTITIONS says: with too few, the query sightings would leave none to the others.
    """
    partitions, records = _require_topics(settings)
    require_writable_folders(settings)
    with pipeline_lock(settings), explained_failures():
        as_it_is = settings.model_copy(update={"partitions": partitions})
        spark = build_session(as_it_is, live=live, is_short=records < _SHORT_TOPIC)
        try:
            yield spark
        finally:
            stop_session(spark)


@contextmanager
def exclusive_session(settings: Settings) -> Iterator[SparkSession]:
    """Hold the same locks, and open a session for a command that changes tables.

    It does not ask for topics or rights beforehand. Raises UserError while a pipeline runs, and for
    whatever Spark cannot do.
    """
    require_object_store(settings)
    with pipeline_lock(settings), reading_session(settings) as spark:
        yield spark


def _require_topics(settings: Settings) -> tuple[int, int]:
    """Return how many partitions and records nest-logs has.

    Raises UserError if a topic or a right is missing.
    """
    with open_consumer(settings.kafka) as consumer:
        by_topic = {topic.name: partitions_of(consumer, topic.name) for topic in TOPICS}
        partitions = by_topic[NEST_LOGS.name]
        first, end = consumer.beginning_offsets(partitions), consumer.end_offsets(partitions)
    require_rights(settings.kafka, topic_operations(PIPELINE))
    return len(partitions), sum(end[each] - first[each] for each in partitions)
