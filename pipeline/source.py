"""nest-logs as Spark reads it, as a stream or over a range of offsets."""

from pyspark.sql import DataFrame, SparkSession

from contract.settings import Settings
from contract.topics import NEST_LOGS

_FETCH_WAIT_MS = 20
"""A task that has read its last record asks for the topic's end, and the broker answers that only
after the fetch for what would come next: by default half a second later, task by task."""


def stream_records(spark: SparkSession, settings: Settings, per_task: int) -> DataFrame:
    """Return nest-logs as a stream: key, value, topic, partition, offset, timestamp.

    ``NEST_STARTING_OFFSETS`` counts only for a new query; a restart goes on from its checkpoint.
    A large batch is read in tasks of at most ``per_task`` records.
    """
    reader = (
        spark.readStream.format("kafka")
        .options(**_source(settings))
        .option("startingOffsets", settings.starting_offsets)
        .option("maxRecordsPerPartition", per_task)
    )
    if settings.max_offsets_per_trigger is not None:
        reader = reader.option("maxOffsetsPerTrigger", settings.max_offsets_per_trigger)
    return reader.load()


def read_records(
    spark: SparkSession, settings: Settings, start: str = "earliest", end: str = "latest"
) -> DataFrame:
    """Return the same rows as a batch, over a range of offsets: names or JSON."""
    return (
        spark.read.format("kafka")
        .options(**_source(settings))
        .option("startingOffsets", start)
        .option("endingOffsets", end)
        .load()
    )


def _source(settings: Settings) -> dict[str, str | int | bool]:
    """Return the options that a stream and a batch share."""
    return {
        "kafka.bootstrap.servers": settings.bootstrap_servers,
        "kafka.fetch.max.wait.ms": _FETCH_WAIT_MS,
        "subscribe": NEST_LOGS.name,
        "failOnDataLoss": settings.fail_on_data_loss,
    }
