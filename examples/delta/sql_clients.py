"""One table queried by its name in SQL: by Spark, by Spark's shell, and by DuckDB without Java.

You should see the same answer three times. To Spark the name is one of its catalog, which points at
the table's folder. ``spark-sql`` is Spark's shell for SQL alone. DuckDB gets the table from
deltalake, as Arrow data of which it reads only the columns and files that a query needs. (DuckDB's
own extension ``delta`` reads the folder itself, where DuckDB may install extensions.) Last comes
the shell's command for the archive of the demo.
"""

import os
import shlex
import sys
from dataclasses import dataclass
from pathlib import Path

import duckdb
from deltalake import DeltaTable

from contract import lake
from contract.run_to_end import run_to_end
from contract.settings import Settings, load_settings
from examples.playground import TIMEOUT_S, Playground
from examples.sightings import append, sightings

ROWS = ("C5",)
CAMERAS = "SELECT device_id, count(*) AS messages FROM camera GROUP BY device_id LIMIT 10"
CREATE = "CREATE TABLE {} USING delta LOCATION '{}'"
QUERY = "SELECT zip_code, count(*) AS sightings FROM {} GROUP BY zip_code ORDER BY zip_code"
CATALOG = ("spark.sql.extensions", "spark.sql.catalog.spark_catalog")
"""What makes a Spark shell know Delta tables."""


@dataclass(frozen=True)
class Observed:
    """The rows that each client gave, and the shell's command for the demo's archive."""

    spark: list[tuple[str, int]]
    shell: list[tuple[str, int]]
    duckdb: list[tuple[str, int]]
    command: str


def run(playground: Playground) -> Observed:
    """Name a table in Spark's catalog and in DuckDB, and ask both the same question."""
    spark, path, settings = playground.spark, playground.table("sightings"), load_settings()
    append(sightings(spark, 0, 30, "94304").unionAll(sightings(spark, 30, 50, "01002")), path)

    name = f"{playground.database('lake')}.sightings"
    # In production: a catalog that outlives the session, such as Unity Catalog, Glue or Hive's.
    spark.sql(CREATE.format(name, path))
    by_spark = [tuple(row) for row in spark.sql(QUERY.format(name)).collect()]

    by_name = f"{CREATE.format('sightings', path)}; {QUERY.format('sightings')}"
    by_shell = rows_of_shell(spark_sql(playground, settings, by_name))

    with duckdb.connect() as engine:
        engine.register("sightings", DeltaTable(path).to_pyarrow_dataset())
        by_duckdb = engine.sql(QUERY.format("sightings")).fetchall()

    columns = ("zip_code", "sightings")
    playground.show("Spark", [dict(zip(columns, row, strict=True)) for row in by_spark])
    playground.show("Spark's shell", [dict(zip(columns, row, strict=True)) for row in by_shell])
    playground.show("DuckDB", [dict(zip(columns, row, strict=True)) for row in by_duckdb])
    command = command_for_archive(playground, settings)
    playground.say(f"The demo's archive, once there is one, in Spark's SQL shell:\n{command}")
    return Observed(by_spark, by_shell, by_duckdb, command)


def command_for_archive(playground: Playground, settings: Settings) -> str:
    """Return the command that asks the archive of some settings, as one types it."""
    archive = lake.absolute_location(lake.table_location(settings.lake, lake.CAMERA))
    shell = spark_sql(playground, settings, f"{CREATE.format('camera', archive)}; {CAMERAS}")
    return shlex.join(["spark-sql", *shell[1:]])


def spark_sql(playground: Playground, settings: Settings, statements: str) -> list[str]:
    """Return the command that runs SQL in Spark's shell, with this session's catalog."""
    shell = str(Path(sys.executable).with_name("spark-sql"))
    folders = [settings.spark_jars, *([settings.s3a_jars] if settings.object_store else [])]
    jars = os.pathsep.join(f"{folder.resolve()}/*" for folder in folders)
    command = [shell, "--driver-class-path", jars]
    for key in CATALOG:
        command += ["--conf", f"{key}={playground.spark.conf.get(key)}"]
    # Without it the shell makes a database of its own in the current folder, for names that last.
    # Here a name is gone with its shell.
    command += ["--conf", "spark.sql.catalogImplementation=in-memory"]
    return [*command, "--conf", "spark.ui.enabled=false", "-e", statements]


def rows_of_shell(command: list[str]) -> list[tuple[str, int]]:
    """Return the zip codes and counts that the shell prints: a line a row, tabs between."""
    printed = run_to_end(command, "Spark's SQL shell failed", timeout=TIMEOUT_S)
    rows = [line.split("\t") for line in printed.splitlines() if "\t" in line]
    return [(zip_code, int(count)) for zip_code, count in rows]
