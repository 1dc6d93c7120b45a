"""Where a stream on a Delta table begins: the table as it is, a version, a moment, or what is new.

You should see how many rows of a table of four commits each stream gives. A restart ignores the
options. ``startingVersion=latest`` gives only what comes after the start; but a query that stops
before its first batch has no offset to remember, so its next start asks for the latest again, and
what came between is never read. Both options together are refused, and so is a version that does
not exist. Whatever version a stream begins with, its columns are those of the newest version.
"""

from dataclasses import dataclass

from delta.tables import DeltaTable
from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from examples.error_condition import error_condition
from examples.playground import Playground
from examples.sightings import append, sightings

ROWS = ("B4", "B16")


@dataclass(frozen=True)
class Observed:
    """How many rows each stream gave, what was refused, and the columns of an old version."""

    rows: dict[str, int]
    both_options: str | None
    unknown_version: str | None
    columns_from_version_0: list[str]


def run(playground: Playground) -> Observed:
    """Write four commits of ten rows and read them from several starting points."""
    spark, table = playground.spark, playground.table("sightings")
    for version in range(4):
        append(sightings(spark, version * 10, version * 10 + 10), table)
    commits = DeltaTable.forPath(spark, table).history().where("version = 2")
    third = commits.selectExpr("CAST(timestamp AS STRING) AS moment").collect()[0].moment

    def count(checkpoint: str, **options: str) -> int:
        return len(playground.rows_of(stream(playground, table, **options), checkpoint))

    rows = {
        "no option": count("whole"),
        "startingVersion=2": count("version", startingVersion="2"),
        "startingTimestamp of version 2": count("timestamp", startingTimestamp=third),
        "restart, startingVersion=0": count("version", startingVersion="0"),
        "startingVersion=latest": count("latest", startingVersion="latest"),
    }
    with playground.running(
        stream(playground, table, startingVersion="latest")
        .writeStream.queryName("latest_running")
        .format("memory")
    ) as query:
        query.processAllAvailable()  # now it knows the version after which it begins
        append(sightings(spark, 40, 50), table)
        query.processAllAvailable()
        rows["latest, while version 4 comes"] = spark.table("latest_running").count()
    # In production: give such a query a number, the version to begin with, and not latest.
    rows["latest, restarted after version 4"] = count("latest", startingVersion="latest")
    playground.show("Rows read", [{"stream": name, "rows": n} for name, n in rows.items()])

    both = error_condition(lambda: count("both", startingVersion="0", startingTimestamp=third))
    unknown = error_condition(lambda: count("unknown", startingVersion="99"))
    playground.say(f"Both options together: {both}. Version 99: {unknown}.")

    wider = sightings(spark, 50, 51).withColumn("is_online", F.lit(True))
    wider.write.format("delta").mode("append").option("mergeSchema", "true").save(table)
    columns = stream(playground, table, startingVersion="0").columns
    playground.say(f"Version 5 has a new column; a stream from version 0 has it, too: {columns}.")
    return Observed(rows, both, unknown, columns)


def stream(playground: Playground, table: str, **options: str) -> DataFrame:
    """Return the table as a stream."""
    return playground.spark.readStream.format("delta").options(**options).load(table)
