"""The newest state of each camera by MERGE from a stream, each report once, and counts of them.

You should see reports of cameras come in two batches. All that the second one has of cam0 is an old
report: it does not overwrite the newer state. An upsert takes one row per camera, so a batch is
reduced to its newest reports first; with two rows for one camera MERGE refuses. An insert-only
MERGE drops what the table already has. A stream that counts gives, in update mode, only the counts
that a batch has changed: these are what its MERGE writes. Each MERGE reads the micro-batch again,
unless it is cached: with two MERGEs its rows are read and counted twice, and the input rate that
the progress reports is twice too high. A MERGE that updates would itself read its rows more than
once, to find the files that change and to write them; Delta copies the rows first, unless it is
told not to.
"""

from dataclasses import dataclass

from delta.tables import DeltaTable
from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from examples.error_condition import error_condition
from examples.playground import Playground
from examples.sightings import append

ROWS = ("B8", "B15")
REPORT = "device_id STRING, sent INT, is_online BOOLEAN"
"""``sent`` is in minutes after midnight."""
BATCHES = (
    [
        ("cam0", 1, True),
        ("cam1", 2, True),
        ("cam0", 5, False),
        ("cam1", 2, True),
        ("cam3", 4, True),
    ],
    [("cam0", 3, True), ("cam1", 7, False), ("cam2", 8, True), ("cam1", 2, True)],
)


@dataclass(frozen=True)
class Observed:
    """The tables at the end, and how many rows Spark says it read, of the nine that there are.

    ``changed_counts`` has the counts that each batch has changed, ``counts`` the table of them.
    """

    status: dict[str, tuple[int, bool]]
    reports: int
    rows_read: int
    rows_read_from_cache: int
    rows_read_without_copy: int
    without_reduction: str | None
    changed_counts: list[dict[str, int]]
    counts: dict[str, int]


def run(playground: Playground) -> Observed:
    """Merge two batches of reports into two tables, without and with a cache."""
    spark, source = playground.spark, playground.table("source")
    for batch in BATCHES:
        append(spark.createDataFrame(batch, REPORT).coalesce(1), source)

    uncached = merge_all(playground, "uncached", cache=False)
    cached = merge_all(playground, "cached", cache=True)
    with playground.conf("spark.databricks.delta.merge.materializeSource", "none"):
        uncopied = merge_all(playground, "uncopied", cache=False)
    status, reports = read(playground, "cached_status"), read(playground, "cached_reports")
    playground.show("The newest state of each camera", status)
    playground.say(
        f"The source has {sum(map(len, BATCHES))} rows. Two MERGEs read {uncached}, by what the "
        f"progress says, and {cached} where the batch was cached. Where Delta makes no copy for a "
        f"MERGE (materializeSource=none), they read {uncopied}: an upsert then "
        "reads its rows more than once."
    )
    playground.say(
        f"Insert-only MERGE: {sum(map(len, BATCHES))} reports came, {reports.count()} are in the "
        "table."
    )
    twice = spark.createDataFrame(BATCHES[0], REPORT)
    refused = error_condition(lambda: upsert(twice, playground.table("cached_status")))
    playground.say(f"MERGE with two rows for a camera: {refused}.")
    changed = count_reports(playground)
    counts = {row.device_id: row["count"] for row in read(playground, "counts").collect()}
    playground.say(f"Counts that each batch has changed: {changed}. The table: {counts}.")
    return Observed(
        {row.device_id: (row.sent, row.is_online) for row in status.collect()},
        reports.count(),
        uncached,
        cached,
        uncopied,
        refused,
        changed,
        counts,
    )


def merge_all(playground: Playground, name: str, *, cache: bool) -> int:
    """Run the stream, a commit a batch, and return how many rows it says that it read."""
    status, reports = playground.table(f"{name}_status"), playground.table(f"{name}_reports")
    schema = playground.spark.createDataFrame([], REPORT).schema
    for table in (status, reports):
        DeltaTable.create(playground.spark).location(table).addColumns(schema).execute()

    def merge_both(batch: DataFrame, _: int) -> None:
        if cache:
            batch.persist()
        newest = batch.groupBy("device_id").agg(F.max_by(F.struct("*"), "sent").alias("newest"))
        upsert(newest.select("newest.*"), status)
        insert_new(batch.dropDuplicates(["device_id", "sent"]), reports)
        batch.unpersist()

    query = playground.run_to_end(
        playground.spark.readStream.format("delta")
        .option("maxFilesPerTrigger", "1")
        .load(playground.table("source"))
        .writeStream.foreachBatch(merge_both)
        .option("checkpointLocation", playground.checkpoint(name))
    )
    return sum(progress["numInputRows"] for progress in query.recentProgress)


def count_reports(playground: Playground) -> list[dict[str, int]]:
    """Count the reports of each camera in a table, and return what each batch has changed."""
    table, changed = playground.table("counts"), []
    schema = "device_id STRING, count BIGINT"
    playground.spark.createDataFrame([], schema).write.format("delta").save(table)

    def keep_and_merge(batch: DataFrame, _: int) -> None:
        changed.append({row.device_id: row["count"] for row in batch.sort("device_id").collect()})
        merge_counts(batch, table)

    playground.run_to_end(
        playground.spark.readStream.format("delta")
        .option("maxFilesPerTrigger", "1")
        .load(playground.table("source"))
        .groupBy("device_id")
        .count()
        .writeStream.foreachBatch(keep_and_merge)
        .outputMode("update")
        .option("checkpointLocation", playground.checkpoint("counts"))
    )
    return changed


def upsert(newest: DataFrame, table: str) -> None:
    """Insert cameras that the table lacks, and update those whose row is older."""
    (
        DeltaTable.forPath(newest.sparkSession, table)
        .alias("old")
        .merge(newest.alias("new"), "old.device_id = new.device_id")
        .whenMatchedUpdateAll("new.sent > old.sent")
        .whenNotMatchedInsertAll()
        .execute()
    )


def insert_new(reports: DataFrame, table: str) -> None:
    """Insert the reports that the table lacks."""
    # In production: add a range of ``sent`` to the condition, so that MERGE skips older files.
    (
        DeltaTable.forPath(reports.sparkSession, table)
        .alias("old")
        .merge(reports.alias("new"), "old.device_id = new.device_id AND old.sent = new.sent")
        .whenNotMatchedInsertAll()
        .execute()
    )


def merge_counts(changed: DataFrame, table: str) -> None:
    """Insert the counts that the table lacks, and replace those that it has."""
    (
        DeltaTable.forPath(changed.sparkSession, table)
        .alias("old")
        .merge(changed.alias("new"), "old.device_id = new.device_id")
        .whenMatchedUpdateAll()
        .whenNotMatchedInsertAll()
        .execute()
    )


def read(playground: Playground, name: str) -> DataFrame:
    """Return a table as it is now."""
    return playground.spark.read.format("delta").load(playground.table(name)).orderBy("device_id")
