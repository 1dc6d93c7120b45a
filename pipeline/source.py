"""Topics as Spark reads them: nest-logs as a stream or over a range of offsets, others whole."""

from dataclasses import dataclass
from datetime import timedelta

from pyspark.sql import DataFrame, SparkSession

from contract.settings import Settings
from contract.topics import NEST_LOGS, Topic

_FETCH_WAIT_MS = 20
"""How long the broker holds back a fetch that finds no new record; by default 500.

After its last record a task asks for the partition's end, and the broker answers only after the
fetch that is under way: half a second in every task."""

_REAL_TIME_FETCH_WAIT_MS = 500
"""The same in real-time mode, whose tasks wait for the next record and never ask for an end."""


@dataclass(frozen=True)
class MinimumBatch:
    """When a batch is worth its cost, most of which is the same for one record as for many."""

    records: int
    """With so many new records a batch begins at the next trigger."""
    max_delay: timedelta
    """How long fewer records wait at most, counted from the batch before."""
    trigger: timedelta
    """How often Spark looks for new records."""

    def options(self, max_records: int | None = None) -> dict[str, str]:
        """Return the options of the Kafka source; none if nothing is to wait.

        A batch that may have ``max_records`` does not wait for more.
        """
        # Spark looks at a trigger only, so the last one within max_delay has to end the wait.
        delay = self.max_delay - self.trigger / 2
        if delay <= timedelta():
            return {}
        return {
            "minOffsetsPerTrigger": str(min(self.records, max_records or self.records)),
            "maxTriggerDelay": f"{delay // timedelta(milliseconds=1)}ms",
        }


def stream_records(
    spark: SparkSession,
    settings: Settings,
    records_per_task: int,
    minimum_batch: MinimumBatch | None = None,
    *,
    starting_offsets: str | None = None,
    is_real_time: bool = False,
) -> DataFrame:
    """Return nest-logs as a stream: key, value, topic, partition, offset, timestamp.

    ``starting_offsets``, by default ``NEST_STARTING_OFFSETS``, applies only to a new query; a
    restart goes on from its checkpoint. A large batch is read in tasks of at most
    ``records_per_task`` records. A query with an end must not have a ``minimum_batch``, which its
    last records may never reach. One that ``is_real_time`` passes over
    ``NEST_MAX_OFFSETS_PER_TRIGGER``, which that mode refuses.
    """
    fetch_wait_ms = _REAL_TIME_FETCH_WAIT_MS if is_real_time else _FETCH_WAIT_MS
    reader = (
        spark.readStream.format("kafka")
        .options(**_common_options(settings, fetch_wait_ms))
        .option("startingOffsets", starting_offsets or settings.starting_offsets)
        .option("maxRecordsPerPartition", records_per_task)
    )
    # No limit by default: partitions that differ in time would move the watermark past each other.
    if not is_real_time and settings.max_offsets_per_trigger is not None:
        reader = reader.option("maxOffsetsPerTrigger", settings.max_offsets_per_trigger)
    if minimum_batch:
        reader = reader.options(**minimum_batch.options(settings.max_offsets_per_trigger))
    return reader.load()


def read_records(
    spark: SparkSession, settings: Settings, start: str = "earliest", end: str = "latest"
) -> DataFrame:
    """Return the same rows as a batch.

    ``start`` and ``end`` limit the offsets: ``earliest``, ``latest``, or JSON offsets by partition.
    """
    return (
        spark.read.format("kafka")
        .options(**_common_options(settings))
        .option("startingOffsets", start)
        .option("endingOffsets", end)
        .load()
    )


def read_topic(
    spark: SparkSession, settings: Settings, topic: Topic, *, fail_on_data_loss: bool = True
) -> DataFrame:
    """Return all records of a topic as a batch, superseded values and tombstones included."""
    return (
        spark.read.format("kafka")
        .options(**settings.kafka.spark_options())
        .option("subscribe", topic.name)
        .option("failOnDataLoss", fail_on_data_loss)
        .load()
    )


def _common_options(
    settings: Settings, fetch_wait_ms: int = _FETCH_WAIT_MS
) -> dict[str, str | int | bool]:
    """Return the options that both the stream and the batch need.

    The user's Kafka options override ours.
    """
    return {
        "kafka.fetch.max.wait.ms": fetch_wait_ms,
        **settings.kafka.spark_options(),
        "subscribe": NEST_LOGS.name,
        "failOnDataLoss": settings.fail_on_data_loss,
    }
