"""One table queried by its name in SQL: by Spark, and by DuckDB, which needs no Java.

You should see the same answer twice. To Spark the name is one of its catalog, which points at the
table's folder. DuckDB gets the table from deltalake, as Arrow data of which it reads only the
columns and files that a query needs. (DuckDB's own extension ``delta`` reads the folder itself,
where DuckDB may install extensions.) Last comes a command for ``spark-sql``, Spark's shell for SQL
alone, on the archive of the demo.
"""

import shlex
from dataclasses import dataclass
from pathlib import Path

import duckdb
from deltalake import DeltaTable

from contract import lake
from contract.settings import Settings, load_settings
from examples.playground import Playground
from examples.sightings import append, sightings

ROWS = ("C5",)
CAMERAS = "SELECT device_id, count(*) AS messages FROM delta.`{}` GROUP BY device_id LIMIT 10"
QUERY = "SELECT zip_code, count(*) AS sightings FROM {} GROUP BY zip_code ORDER BY zip_code"
CATALOG = ("spark.sql.extensions", "spark.sql.catalog.spark_catalog")
"""What makes a Spark shell know Delta tables."""


@dataclass(frozen=True)
class Observed:
    """The rows that each client gave, and the command of the shell."""

    spark: list[tuple[str, int]]
    duckdb: list[tuple[str, int]]
    shell: str


def run(playground: Playground) -> Observed:
    """Name a table in Spark's catalog and in DuckDB, and ask both the same question."""
    spark, path, settings = playground.spark, playground.table("sightings"), load_settings()
    append(sightings(spark, 0, 30, "94304").unionAll(sightings(spark, 30, 50, "01002")), path)

    name = f"{playground.database('lake')}.sightings"
    # In production: a catalog that outlives the session, such as Unity Catalog, Glue or Hive's.
    spark.sql(f"CREATE TABLE {name} USING delta LOCATION '{path}'")
    by_spark = [tuple(row) for row in spark.sql(QUERY.format(name)).collect()]

    with duckdb.connect() as engine:
        engine.register("sightings", DeltaTable(path).to_pyarrow_dataset())
        by_duckdb = engine.sql(QUERY.format("sightings")).fetchall()

    columns = ("zip_code", "sightings")
    playground.show("Spark", [dict(zip(columns, row, strict=True)) for row in by_spark])
    playground.show("DuckDB", [dict(zip(columns, row, strict=True)) for row in by_duckdb])
    archive = Path(lake.table_uri(settings.lake, lake.CAMERA)).resolve()
    shell = spark_sql(playground, settings, CAMERAS.format(archive))
    playground.say(f"The demo's archive, once there is one, in Spark's SQL shell:\n{shell}")
    return Observed(by_spark, by_duckdb, shell)


def spark_sql(playground: Playground, settings: Settings, query: str) -> str:
    """Return the command that runs a query in Spark's SQL shell, with this session's catalog."""
    command = ["spark-sql", "--driver-class-path", f"{settings.spark_jars.resolve()}/*"]
    for key in CATALOG:
        command += ["--conf", f"{key}={playground.spark.conf.get(key)}"]
    # Without it the shell makes a database of its own in the current folder, for names that last.
    command += ["--conf", "spark.sql.catalogImplementation=in-memory", "-e", query]
    return shlex.join(command)
