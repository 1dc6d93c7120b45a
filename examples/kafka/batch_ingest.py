"""A batch ingest beside a streaming one: read all of Kafka and overwrite, or read on and append.

You should see both tables hold the same rows after each round; and that the batch reads everything
again each time, while the stream reads only what is new.
"""

from dataclasses import dataclass

from pyspark.sql import DataFrame

from examples.playground import Playground
from pipeline.parsing.parser import CameraParser, parse_records
from pipeline.schema import camera_schema

ROWS = ("E1",)


@dataclass(frozen=True)
class Observed:
    """Records read in each round, rows in the tables at the end, and the catalog's tables."""

    read_by_batch: list[int]
    read_by_stream: list[int]
    rows_of_batch: int
    rows_of_stream: int
    same_rows: bool
    versions_of_batch: list[str]
    tables: list[str]


def run(playground: Playground) -> Observed:
    """Ingest ten messages in both ways, then five more."""
    topic, database = playground.topic("batch-ingest"), playground.database("ingest")
    messages = playground.messages(15)
    read_by_batch, read_by_stream = [], []

    for new in (messages[:10], messages[10:]):
        playground.send(topic, new)

        # Nothing tells a batch what an earlier one has read; overwriting makes it safe to repeat.
        records = playground.read_batch().option("subscribe", topic).load()
        cameras(records).write.format("delta").mode("overwrite").saveAsTable(
            f"{database}.camera_by_batch"
        )
        read_by_batch.append(records.count())

        stream = playground.read_stream().option("subscribe", topic)
        writer = (
            cameras(stream.option("startingOffsets", "earliest").load())
            .writeStream.format("delta")
            .option("checkpointLocation", playground.checkpoint("camera_by_stream"))
            .trigger(availableNow=True)
        )
        query = writer.toTable(f"{database}.camera_by_stream")
        query.awaitTermination()
        read_by_stream.append(sum(each["numInputRows"] for each in query.recentProgress))

    spark = playground.spark
    by_batch = spark.table(f"{database}.camera_by_batch")
    by_stream = spark.table(f"{database}.camera_by_stream")
    history = spark.sql(f"DESCRIBE HISTORY {database}.camera_by_batch").orderBy("version")
    observed = Observed(
        read_by_batch,
        read_by_stream,
        rows_of_batch=by_batch.count(),
        rows_of_stream=by_stream.count(),
        same_rows=by_batch.exceptAll(by_stream).isEmpty(),
        versions_of_batch=[row.operation for row in history.collect()],
        tables=sorted(
            table.name for table in spark.catalog.listTables(database) if not table.isTemporary
        ),
    )
    playground.say(f"Records read by the batch: {read_by_batch}; by the stream: {read_by_stream}.")
    playground.say(f"Rows at the end: {observed.rows_of_batch} and {observed.rows_of_stream}.")
    playground.say(
        f"saveAsTable made versions of one table: {observed.versions_of_batch}. A reader sees the "
        "old rows or the new ones, never a mixture."
    )
    return observed


def cameras(records: DataFrame) -> DataFrame:
    """Return one row per camera; the same step for a batch and a stream."""
    return records.transform(parse_records, CameraParser(camera_schema()))
