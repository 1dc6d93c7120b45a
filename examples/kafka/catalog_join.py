"""The stream joined with device_locations: a table of the catalog, a file, a database by JDBC.

You should see that the join is the same step whatever holds the places of the cameras, and gives
the same rows. Then another program adds a camera while a stream runs: the stream sees it in a Delta
table of the catalog and by JDBC, and not in a catalog's table of Parquet or in a file.
"""

from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
from deltalake import write_deltalake
from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from examples.collected_zip_codes import collect_zip_codes
from examples.playground import Playground, Record
from pipeline.counting import person_events, with_zip_codes
from pipeline.locations import read_locations
from pipeline.parsing.parser import CameraParser, parse_records
from pipeline.schema import sighting_schema

ROWS = ("A15",)

LOCATION = "device_id STRING, zip_code STRING"
DERBY = "jdbc:derby:memory:places"
"""A database inside Spark's own JVM: Spark ships it. In production: the address of a server."""


@dataclass(frozen=True)
class Observed:
    """The zip codes of the people seen, one for each record, by what the stream was joined with.

    ``changed`` has those of two sightings of a camera, before and after it was added, and the one
    that is found when the table is opened anew.
    """

    catalog: list[str]
    file: list[str]
    jdbc: list[str]
    changed: dict[str, list[str]]


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

    found = {
        "catalog": zip_codes(spark.table(f"{database}.device_locations"), "catalog"),
        "file": zip_codes(locations, "file"),
        "jdbc": zip_codes(spark.read.jdbc(DERBY, "device_locations", properties=driver), "jdbc"),
    }
    locations.unpersist()
    playground.show(
        f"Zip codes of the {len(found['catalog'])} records with a person",
        [{name: " ".join(codes[:6]) + " ..." for name, codes in found.items()}],
    )
    observed = Observed(**found, changed=add_a_camera_while_it_runs(playground, database))
    playground.show(
        "A sighting of cam1, another after cam1 was added, and the table opened anew",
        [{"places in": name, "zip codes": codes} for name, codes in observed.changed.items()],
    )
    playground.say(
        "Each micro-batch asks Delta and JDBC anew. Of a table of Parquet or CSV Spark keeps the "
        "list of files from the start; to see new ones, open it anew, in the same Spark session "
        "after REFRESH TABLE. What is held in memory, as read_locations does, also stays as it "
        "was. A file can also be a URI of HDFS or S3, whose jars Spark then needs."
    )
    return observed


def add_a_camera_while_it_runs(playground: Playground, database: str) -> dict[str, list[str]]:
    """Join one stream with four tables of places, and let another program add cam1 to each."""
    spark, topic = playground.spark, playground.topic("places-change")
    known = spark.createDataFrame([("cam0", "01002")], LOCATION)
    known.write.saveAsTable(f"{database}.parquet", format="parquet")
    known.write.saveAsTable(f"{database}.delta", format="delta")
    files = str(playground.folder / "places.csv")
    known.write.csv(files)
    known.write.jdbc(DERBY, "places", "overwrite")

    def places_by_name() -> dict[str, DataFrame]:
        return {
            "catalog, Parquet": spark.table(f"{database}.parquet"),
            "catalog, Delta": spark.table(f"{database}.delta"),
            "file": spark.read.schema(LOCATION).csv(files),
            "JDBC": spark.read.jdbc(DERBY, "places"),
        }

    tables = places_by_name()
    stream = playground.read_stream().option("subscribe", topic).load()
    devices = stream.select(F.col("value").cast("string").alias("device_id"))
    writer, rows = collect_zip_codes(devices, tables)
    with playground.running(writer) as query:
        query.processAllAvailable()
        playground.send(topic, [Record(b"cam1")])
        query.processAllAvailable()
        folder = playground.folder / "databases" / database
        add_camera_without_spark(playground, folder / "parquet", folder / "delta", Path(files))
        playground.send(topic, [Record(b"cam1")])
        query.processAllAvailable()
    spark.catalog.refreshTable(f"{database}.parquet")
    anew: dict[str, dict[str, str]] = {
        name: dict(places.collect()) for name, places in places_by_name().items()
    }
    return {name: [*(row[name] for row in rows), anew[name].get("cam1", "none")] for name in tables}


def add_camera_without_spark(playground: Playground, parquet: Path, delta: Path, csv: Path) -> None:
    """Add a camera without Spark, as another program does."""
    row = pa.table({"device_id": ["cam1"], "zip_code": ["94304"]})
    pq.write_table(row, parquet / "another.parquet")
    write_deltalake(str(delta), row, mode="append")
    (csv / "another.csv").write_text("cam1,94304\n")
    jvm = playground.spark.sparkContext._jvm
    connection = jvm.java.sql.DriverManager.getConnection(DERBY)  # type: ignore[union-attr]
    connection.createStatement().execute("INSERT INTO places VALUES ('cam1', '94304')")
    connection.close()


def keep_derby_quiet(playground: Playground) -> None:
    """Let Derby write its log into the folder; by default it is in the current one."""
    system = playground.spark.sparkContext._jvm.java.lang.System  # type: ignore[union-attr]
    system.setProperty("derby.stream.error.file", str(playground.folder / "derby.log"))
