"""A stream joined with a Delta table: each micro-batch sees the table as it is when the batch runs.

You should see a camera that the table of locations does not have: its sighting gets no place. Then
somebody adds the camera, and the next batch of the same running query places it, without a restart;
what was written before stays as it was. A table that is held in memory, as the pipeline holds its
device locations, stays that of the query's start (unless the same Spark session changes it, which
empties its cache), and so does one that is pinned by ``versionAsOf``.
"""

from dataclasses import dataclass

import pyarrow as pa
from deltalake import write_deltalake
from pyspark.sql import DataFrame

from examples.collected_zip_codes import collect_zip_codes
from examples.playground import Playground
from examples.sightings import append, sightings

ROWS = ("B14",)
LOCATION = "device_id STRING, zip_code STRING"
FORMS = ("newest", "in memory", "version 0")


@dataclass(frozen=True)
class Observed:
    """The zip codes of two sightings of one camera, before and after it was added, by form."""

    zip_codes: dict[str, list[str]]


def run(playground: Playground) -> Observed:
    """Join one stream with three forms of a table, and add a row while it runs."""
    spark, locations = playground.spark, playground.table("device_locations")
    append(spark.createDataFrame([("cam0", "01002")], LOCATION), locations)
    read = spark.read.format("delta")
    tables: dict[str, DataFrame] = {
        "newest": read.load(locations),
        "in memory": read.load(locations).where("zip_code IS NOT NULL").persist(),
        "version 0": read.option("versionAsOf", 0).load(locations),
    }
    append(sightings(spark, 1, 2).drop("zip_code"), playground.table("sightings"))  # of cam1

    stream = spark.readStream.format("delta").load(playground.table("sightings"))
    writer, rows = collect_zip_codes(stream, tables)
    with playground.running(writer) as query:
        query.processAllAvailable()
        # Another program adds the camera; delta-rs stands for it.
        row = pa.table({"device_id": ["cam1"], "zip_code": ["94304"]})
        write_deltalake(locations, row, mode="append")
        append(sightings(spark, 5, 6).drop("zip_code"), playground.table("sightings"))
        query.processAllAvailable()
    tables["in memory"].unpersist()

    playground.show("Two sightings of cam1; it was added to the table between them", rows)
    # In production: send unplaced sightings to a table of their own and join them again later.
    playground.say("The newest table is read anew in every batch; that is cheap while it is small.")
    return Observed({form: [row[form] for row in rows] for form in FORMS})
