"""The stream joined with device_locations: a table of the catalog, a file, a database by JDBC.

You should see that the join is the same step whatever holds the places of the cameras, and gives
the same rows.
"""

from dataclasses import dataclass

from pyspark.sql import DataFrame

from examples.playground import Playground
from pipeline.counting import person_events, with_zip_codes
from pipeline.locations import read_locations
from pipeline.parsing.parser import CameraParser, parse_records
from pipeline.schema import sighting_schema

ROWS = ("A15",)

DERBY = "jdbc:derby:memory:places"
"""A database inside Spark's own JVM: Spark ships it. In production: the address of a server."""


@dataclass(frozen=True)
class Observed:
    """The zip codes of the people seen, one for each record, by what the stream was joined with."""

    catalog: list[str]
    file: list[str]
    jdbc: list[str]


def run(playground: Playground) -> Observed:
    """Read the same messages three times, each time with the places from somewhere else."""
    topic = playground.topic("catalog-join")
    playground.send(topic, playground.messages(20))
    spark, file = playground.spark, playground.settings.device_locations
    locations = read_locations(spark, file)

    database = playground.database("places")
    locations.write.saveAsTable(f"{database}.device_locations")
    keep_derby_quiet(playground)
    driver = {"driver": "org.apache.derby.iapi.jdbc.AutoloadedDriver"}
    locations.write.jdbc(f"{DERBY};create=true", "device_locations", "overwrite", driver)

    def zip_codes(places: DataFrame, checkpoint: str) -> list[str]:
        stream = (
            playground.read_stream()
            .option("subscribe", topic)
            .option("startingOffsets", "earliest")
            .load()
            .transform(parse_records, CameraParser(sighting_schema()))
            .transform(person_events)
            .transform(with_zip_codes, places)
        )
        return sorted(row.zip_code for row in playground.rows_of(stream, checkpoint))

    observed = Observed(
        catalog=zip_codes(spark.table(f"{database}.device_locations"), "catalog"),
        file=zip_codes(locations, "file"),
        jdbc=zip_codes(spark.read.jdbc(DERBY, "device_locations", properties=driver), "jdbc"),
    )
    locations.unpersist()
    playground.show(
        f"Zip codes of the {len(observed.catalog)} records with a person",
        [{name: " ".join(found[:6]) + " ..." for name, found in vars(observed).items()}],
    )
    playground.say(
        "A micro-batch reads a static table anew unless it is held in memory, as read_locations "
        "does. Delta and JDBC give it as it is then; of a table of CSV or Parquet Spark keeps the "
        "list of files from the start. A file can also be a URI of HDFS or S3, whose jars Spark "
        "then needs."
    )
    return observed


def keep_derby_quiet(playground: Playground) -> None:
    """Let Derby write its log into the folder; by default it is in the current one."""
    system = playground.spark.sparkContext._jvm.java.lang.System  # type: ignore[union-attr]
    system.setProperty("derby.stream.error.file", str(playground.folder / "derby.log"))
