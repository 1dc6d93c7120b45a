"""A batch ingest beside a streaming one: read all of Kafka and overwrite, or read on and append.

You should see both tables hold the same rows after each round; and that the batch reads everything
again each time, while the stream reads only what is new. Then Kafka deletes its oldest records, as
it does when their retention has passed. The next batch overwrites its table with what Kafka still
has: the older rows are gone, and no error says so. A third table keeps them. It gets each range of
offsets (``startingOffsets``, ``endingOffsets``) as one append.
"""

import json
from dataclasses import dataclass

from pyspark.sql import DataFrame

from examples.kafka.data_loss import delete_before
from examples.playground import Playground
from pipeline.parsing.parser import CameraParser, parse_records
from pipeline.schema import camera_schema

ROWS = ("E1",)


@dataclass(frozen=True)
class Observed:
    """Records read in each round, rows in the tables then and after the retention, and tables."""

    read_by_batch: list[int]
    read_by_stream: list[int]
    rows_of_batch: int
    rows_of_stream: int
    same_rows: bool
    rows_of_batch_later: int
    rows_of_stream_later: int
    rows_of_ranges_later: int
    versions_of_batch: list[str]
    tables: list[str]


def run(playground: Playground) -> Observed:
    """Ingest ten messages in each way, then five more; then Kafka deletes the first six."""
    topic, database = playground.topic("batch-ingest"), playground.database("ingest")
    messages = playground.messages(15)
    read_by_batch, read_by_stream = [], []

    def overwrite() -> int:
        # Nothing tells a batch what an earlier one has read; overwriting makes it safe to repeat.
        # The table then has what Kafka has, and never more.
        records = playground.read_batch().option("subscribe", topic).load()
        cameras(records).write.format("delta").mode("overwrite").saveAsTable(
            f"{database}.camera_by_batch"
        )
        return records.count()

    for first, last in ((0, 10), (10, 15)):
        playground.send(topic, messages[first:last])
        read_by_batch.append(overwrite())

        # In production: commit the end of the range with its rows (txnAppId, txnVersion), for the
        # next run to begin there and for a repeated run to add nothing (idempotent-writes).
        records = read_range(playground, topic, first, last)
        cameras(records).write.format("delta").mode("append").saveAsTable(
            f"{database}.camera_by_range"
        )

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
    by_range = spark.table(f"{database}.camera_by_range")
    by_stream = spark.table(f"{database}.camera_by_stream")
    rows_of_batch, rows_of_stream = by_batch.count(), by_stream.count()
    same_rows = by_batch.exceptAll(by_stream).isEmpty()
    delete_before(playground, topic, offset=6)
    read_by_batch.append(overwrite())
    history = spark.sql(f"DESCRIBE HISTORY {database}.camera_by_batch").orderBy("version")
    observed = Observed(
        read_by_batch,
        read_by_stream,
        rows_of_batch,
        rows_of_stream,
        same_rows,
        rows_of_batch_later=spark.table(f"{database}.camera_by_batch").count(),
        rows_of_stream_later=by_stream.count(),
        rows_of_ranges_later=by_range.count(),
        versions_of_batch=[row.operation for row in history.collect()],
        tables=sorted(
            table.name for table in spark.catalog.listTables(database) if not table.isTemporary
        ),
    )
    playground.say(f"Records read by the batch: {read_by_batch}; by the stream: {read_by_stream}.")
    playground.say(f"Rows after two rounds: {rows_of_batch} and {rows_of_stream}.")
    playground.say(
        f"Offsets 0 to 5 deleted, as by retention: the batch overwrites {rows_of_batch} rows with "
        f"{observed.rows_of_batch_later}, without an error. The stream's table keeps "
        f"{observed.rows_of_stream_later}, and the one of appended ranges "
        f"{observed.rows_of_ranges_later}."
    )
    playground.say(
        f"saveAsTable made versions of one table: {observed.versions_of_batch}. A reader sees the "
        "old rows or the new ones, never a mixture."
    )
    return observed


def read_range(playground: Playground, topic: str, first: int, last: int) -> DataFrame:
    """Return the records of partition 0 from the first offset up to, not including, the last."""
    ends = {"startingOffsets": first, "endingOffsets": last}
    options = {name: json.dumps({topic: {"0": offset}}) for name, offset in ends.items()}
    return playground.read_batch().option("subscribe", topic).options(**options).load()


def cameras(records: DataFrame) -> DataFrame:
    """Return one row per camera; the same step for a batch and a stream."""
    return records.transform(parse_records, CameraParser(camera_schema()))
