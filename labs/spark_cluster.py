"""A small Spark cluster on this machine, a master and a worker, and jobs submitted to it."""

import json
import sys
from pathlib import Path
from typing import Any, cast

from contract.settings import Settings
from demo.cluster.spark_standalone import SPARK_HOME, SparkStandalone
from demo.stack.ports import LOOPBACK
from demo.stack.run_to_end import run_to_end
from demo.stack.startable import Startable

ROOT = Path(__file__).parents[1]
MEMORY = "512m"
"""Of the driver and of the executor; the daemons have less."""
TIMEOUT_S = 240


class SparkCluster(Startable):
    """A running master with one worker of one core."""

    def __init__(self, folder: Path) -> None:
        """Describe them, with their logs in ``folder``."""
        self._folder = folder
        self._spark = SparkStandalone(folder)
        self.master = self._spark.master

    def start(self) -> None:
        """Start the master, then the worker, and return when the master knows the worker."""
        self._spark.start()

    def submit(self, settings: Settings, job: str) -> dict[str, Any]:
        """Run a job of this project to its end by ``spark-submit``; return what it printed (JSON).

        Raises UserError with the end of its output if it fails.
        """
        jars = f"{settings.spark_jars.resolve()}/*"
        conf = {
            # In production the jars are in the image, or given by --packages.
            "spark.driver.extraClassPath": jars,
            "spark.executor.extraClassPath": jars,
            "spark.driver.host": LOOPBACK,
            "spark.ui.enabled": "false",
            "spark.sql.warehouse.dir": str(self._folder / "warehouse"),
        }
        command = [str(SPARK_HOME / "bin" / "spark-submit"), "--master", self.master]
        command += ["--driver-memory", MEMORY, "--executor-memory", MEMORY]
        for key, value in conf.items():
            command += ["--conf", f"{key}={value}"]
        given = {
            "NEST_SPARK_MASTER": "",
            "NEST_LAKE": settings.lake,
            "NEST_DEVICE_LOCATIONS": settings.device_locations,
            "PYTHONPATH": str(ROOT),
            "PYSPARK_PYTHON": sys.executable,
        }
        printed = run_to_end(
            [*command, str(ROOT / job)],
            f"{job} failed on the cluster",
            environment={**self._spark.environment, **given},
            timeout=TIMEOUT_S,
        )
        return cast("dict[str, Any]", json.loads(printed.strip().splitlines()[-1]))

    def stop(self) -> None:
        """Stop the worker, then the master."""
        self._spark.stop()
