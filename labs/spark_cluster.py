"""A small Spark cluster on this machine, a master and a worker, and jobs submitted to it."""

import json
import sys
from pathlib import Path
from typing import Any, cast

from contract.run_to_end import run_to_end
from contract.settings import Settings
from demo.cluster.spark_standalone import SparkStandalone
from demo.cluster.spark_submit import ROOMS, one_machine_configuration, spark_submit
from demo.stack.startable import Startable

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
        configuration = {
            **one_machine_configuration(),
            "spark.ui.enabled": "false",
            "spark.sql.warehouse.dir": str(self._folder / "warehouse"),
        }
        command = spark_submit(
            self.master, configuration, driver_memory=MEMORY, executor_memory=MEMORY
        )
        jars = ",".join(map(str, _jars(settings)))
        given = {
            "NEST_SPARK_MASTER": "",
            "NEST_BOOTSTRAP_SERVERS": settings.bootstrap_servers,
            "NEST_LAKE": settings.lake,
            "NEST_DEVICE_LOCATIONS": settings.device_locations,
            "PYTHONPATH": str(ROOMS),
            "PYSPARK_PYTHON": sys.executable,
        }
        printed = run_to_end(
            [*command, "--jars", jars, str(ROOMS / job)],
            f"{job} failed on the cluster",
            environment={**self._spark.environment, **given},
            timeout=TIMEOUT_S,
        )
        return cast("dict[str, Any]", json.loads(printed.strip().splitlines()[-1]))

    def command_line(self, settings: Settings, job: str) -> str:
        """Return what ``submit`` runs, an option a line, without ``--conf`` and most jars."""
        command = spark_submit(self.master, {}, driver_memory=MEMORY, executor_memory=MEMORY)
        first, *others = [jar.name for jar in _jars(settings)]
        words = [Path(command[0]).name, *command[1:], "--jars", f"{first},... ({len(others)} more)"]
        options = [" ".join(pair) for pair in zip(words[1::2], words[2::2], strict=True)]
        return " \\\n    ".join([words[0], *options, job])

    def stop(self) -> None:
        """Stop the worker, then the master."""
        self._spark.stop()


def _jars(settings: Settings) -> list[Path]:
    return sorted(settings.spark_jars.resolve().glob("*.jar"))
