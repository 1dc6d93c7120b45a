"""What a filtered read touches, before and after clustering, and how small the rows are stored.

You should see a table written in eight batches, each file with all zip codes: a filter on one zip
code must read every file. Clustered by zip code (liquid clustering) and optimized, rows of a zip
code lie together, and Delta leaves out the files whose smallest and largest zip code exclude it.
The rows as JSON text would take many times the bytes of the table.
"""

from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote, urlparse

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from examples.playground import Playground
from examples.sightings import append, sightings

ROWS = ("E2",)
ZIP_CODES = 16
MAX_FILE_SIZE = "spark.databricks.delta.optimize.maxFileSize"


@dataclass(frozen=True)
class OpenedFiles:
    """The files that a read opens."""

    files: int
    bytes: int


@dataclass(frozen=True)
class Observed:
    """What a filter on one zip code touches of all that there is; the bytes of all rows as JSON."""

    before: OpenedFiles
    before_filtered: OpenedFiles
    after: OpenedFiles
    after_filtered: OpenedFiles
    rows_found: tuple[int, int]
    json_bytes: int


def run(playground: Playground) -> Observed:
    """Write a table with its zip codes mixed, cluster it, and filter it before and after."""
    spark, path = playground.spark, playground.table("sightings")
    zip_code = (F.lit(94300) + F.abs(F.hash("start_time")) % ZIP_CODES).cast("string")
    for first in range(0, 8 * 4000, 4000):
        append(sightings(spark, first, first + 4000).withColumn("zip_code", zip_code), path)

    def read() -> tuple[DataFrame, DataFrame]:
        table = spark.read.format("delta").load(path)
        return table, table.where("zip_code = '94304'")

    table, chosen = read()
    before, before_filtered, found = touched(table), touched(chosen), chosen.count()
    json_bytes = table.agg(F.sum(F.length(F.to_json(F.struct("*"))) + 1)).collect()[0][0]

    spark.sql(f"ALTER TABLE delta.`{path}` CLUSTER BY (zip_code)")
    # In production: leave the size at its default of 1 GB; so small a table would become one file.
    with playground.conf(MAX_FILE_SIZE, "30000"):
        spark.sql(f"OPTIMIZE delta.`{path}`")
    table, chosen = read()
    after, after_filtered = touched(table), touched(chosen)
    playground.show(
        "What a read touches",
        [
            {"table": name, "rows": rows, "files": each.files, "bytes": each.bytes}
            for name, rows, each in (
                ("as written", "all", before),
                ("as written", "one zip code", before_filtered),
                ("clustered", "all", after),
                ("clustered", "one zip code", after_filtered),
            )
        ],
    )
    playground.say(f"All rows as JSON lines would be {json_bytes:,} bytes.")
    return Observed(
        before, before_filtered, after, after_filtered, (found, chosen.count()), json_bytes
    )


def touched(rows: DataFrame) -> OpenedFiles:
    """Return the files that a query reads, after Delta has left out those that cannot match."""
    files = [Path(unquote(urlparse(uri).path)) for uri in rows.inputFiles()]
    return OpenedFiles(len(files), sum(file.stat().st_size for file in files))
