"""The same flow as a Spark Declarative Pipeline: what each table holds, and not how it gets there.

You should see ``spark-pipelines run`` read examples/spark_pipeline/flow.py, find out which table
needs which, make them as Delta tables and fill them. It gives the order of the tables, their
checkpoints, retries, and a full refresh by one option. In Spark 4.2 it lacks what the pipeline here
rests on. A run ends when all has been read, so a scheduler must start the next one; and that needs
a catalog that lasts, as Delta refuses to make a table again where files are
(DELTA_CREATE_TABLE_WITH_NON_EMPTY_LOCATION). A flow only appends and a materialized view is made
anew in each run, so counts that change cannot go to Kafka. There is no upsert: its own, AUTO CDC,
refuses Delta tables (AUTOCDC_TARGET_DOES_NOT_SUPPORT_MERGE). And our parser with its rules for bad
input cannot run in it, so here ``from_json`` reads the cameras.

It needs Spark Connect: pip install 'pyspark[pipelines]'.
"""

import json
import os
import shutil
import sys
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path

import pyspark
from pyspark.sql import DataFrame

from contract.errors import UserError
from contract.run_to_end import run_to_end
from examples import spark_pipeline
from examples.playground import HOMES, SEED, TIMEOUT_S, Playground
from examples.sightings import append
from producer.device_locations import write_device_locations

ROWS = ("F4",)
MODULES = {
    "grpc": "grpcio",
    "grpc_status": "grpcio-status",
    "google.rpc": "googleapis-common-protos",
    "zstandard": "zstandard",
    "yaml": "pyyaml",
}
"""What ``spark-pipelines`` imports beside pyspark, and the packages that have it."""
SESSION = ("spark.sql.", "spark.hadoop.", "spark.driver.", "spark.databricks.")
"""The settings of this project's session that the pipeline's own Spark takes over."""
OBJECT_STORE = "spark.hadoop.fs.s3a."
"""But not these, which have a secret in them: all is in a folder of this machine."""


@dataclass(frozen=True)
class Observed:
    """The rows of the pipeline's tables, and the sum of its counts."""

    cameras: int
    sightings: int
    counted: int


def run(playground: Playground) -> Observed:
    """Write a table of messages and run the pipeline on it."""
    require_packages()
    write_device_locations(playground.folder / "device_locations.csv", SEED, HOMES)
    append(messages(playground, 200), playground.table("messages"))
    run_pipeline(playground, write_project(playground))
    counts = read(playground, "counts")
    hours = counts.selectExpr("zip_code", "window.start AS hour", "count")
    playground.show("The highest counts", hours.orderBy("count", ascending=False).limit(5))
    return Observed(
        read(playground, "camera").count(),
        read(playground, "sighting").count(),
        counts.agg({"count": "sum"}).collect()[0][0],
    )


def messages(playground: Playground, count: int) -> DataFrame:
    """Return messages of the world as rows, in the form in which Kafka gives records to Spark."""
    rows = [
        (each.value, 0, offset, datetime.fromtimestamp((each.timestamp or 0) / 1000, UTC))
        for offset, each in enumerate(playground.messages(count))
    ]
    schema = "value BINARY, partition INT, offset BIGINT, timestamp TIMESTAMP"
    return playground.spark.createDataFrame(rows, schema)


def write_project(playground: Playground) -> Path:
    """Write what ``spark-pipelines`` reads: a specification, the definitions, Spark's settings."""
    project = playground.folder / "project"
    project.mkdir()
    shutil.copy(str(files(spark_pipeline) / "flow.py"), project)
    specification = {
        "name": "nest",
        "storage": (project / "storage").as_uri(),  # checkpoints; in production: s3a:// or hdfs://
        "libraries": [{"glob": {"include": "flow.py"}}],
    }
    (project / "spark-pipeline.yml").write_text(json.dumps(specification))  # JSON is YAML, too
    conf = dict(playground.spark.sparkContext.getConf().getAll())
    conf = {
        key: value
        for key, value in conf.items()
        if key.startswith(SESSION) and not key.startswith(OBJECT_STORE)
    } | {
        "spark.sql.warehouse.dir": (playground.folder / "lake").as_uri(),
        "spark.connect.grpc.binding.address": "127.0.0.1",
        "spark.sql.sources.default": "delta",
        "spark.ui.enabled": "false",
    }
    lines = [f"{key} {value}" for key, value in conf.items()]
    (project / "spark-defaults.conf").write_text("\n".join(lines))
    return project


def run_pipeline(playground: Playground, project: Path) -> None:
    """Run the pipeline, in a Spark of its own, and print what it says of its tables."""
    spark_home = Path(pyspark.__file__).parent
    environment = {
        "SPARK_HOME": str(spark_home),
        "SPARK_CONF_DIR": str(project),
        "PYSPARK_PYTHON": sys.executable,
        "PYTHONPATH": os.pathsep.join(path for path in sys.path if path),
        "NEST_LAKE": str(playground.folder / "lake"),
        "NEST_DEVICE_LOCATIONS": str(playground.folder / "device_locations.csv"),
    }
    command = [str(spark_home / "bin" / "spark-pipelines"), "run", "--remote", "local[2]"]
    printed = run_to_end(
        command,
        "spark-pipelines failed",
        cwd=project,
        environment=environment,
        timeout=TIMEOUT_S,
    )
    for line in printed.splitlines():
        if "COMPLETED" in line:
            playground.say(line)


def read(playground: Playground, name: str) -> DataFrame:
    """Return a table that the pipeline made."""
    return playground.spark.read.format("delta").load(playground.table(name))


def require_packages() -> None:
    """Raise UserError naming the packages that are missing."""
    missing = [package for module, package in MODULES.items() if not is_installed(module)]
    if missing:
        raise UserError(
            f"spark-pipelines needs {', '.join(missing)}: pip install 'pyspark[pipelines]'."
        )


def is_installed(module: str) -> bool:
    """Return whether a module could be imported."""
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:  # the package around it is missing
        return False
