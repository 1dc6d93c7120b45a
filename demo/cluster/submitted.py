"""A `nest` command that runs on a Spark cluster, by spark-submit in client mode."""

import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import psutil

from contract.settings import Settings
from demo.cluster.spark_standalone import SparkStandalone
from demo.cluster.spark_submit import ROOMS, one_machine_configuration, spark_submit
from demo.stack.environment import environment
from demo.stack.service import Service

EXECUTOR_MEMORY = "512m"
_START_TIMEOUT_S = 180.0
_LOGGING = ROOMS / "pipeline" / "spark" / "log4j2.properties"
_JAVA = f"-Dlog4j2.configurationFile={_LOGGING.as_uri()} -XX:+ExitOnOutOfMemoryError"


class Submitted(Service):
    """The driver: spark-submit's JVM, and the Python that it has started."""

    def __init__(
        self,
        name: str,
        command: list[str],
        settings: Settings,
        spark: SparkStandalone,
        *,
        log: Path | None = None,
        ready: Callable[[], bool] = lambda: True,
    ) -> None:
        """Describe a `nest` command; master and memory come from here and not from its settings."""
        own = settings.model_copy(update={"spark_master": ""})
        super().__init__(
            name,
            [*_spark_submit(settings, spark), *command],
            log=log,
            ready=ready,
            start_timeout=_START_TIMEOUT_S,
            stop_timeout=12,  # a running batch may take 8
            environment={
                **spark.environment,
                **environment(own),
                "PYSPARK_PYTHON": sys.executable,
            },
        )

    def stop(self) -> "Submitted":
        """Stop the Python, which finishes a batch; the JVM ends after it."""
        with suppress(psutil.NoSuchProcess):
            started = self.python_processes()
            for python in started:
                python.send_signal(signal.SIGTERM)
            if started:
                with suppress(subprocess.TimeoutExpired):
                    self.process.wait(self.stop_timeout)
        self.kill()
        return self

    def python_processes(self) -> list[psutil.Process]:
        """Return the driver's Python, once spark-submit has started it."""
        return list(psutil.Process(self.pid).children()) if self.running() else []


def _spark_submit(settings: Settings, spark: SparkStandalone) -> list[str]:
    """Return the command line up to the file that spark-submit runs."""
    configuration = {
        **one_machine_configuration(settings.spark_jars, settings.s3a_jars),
        "spark.driver.extraJavaOptions": _JAVA,
        "spark.executor.extraJavaOptions": f"{_JAVA} -XX:+UseSerialGC",
        "spark.sql.warehouse.dir": str((settings.state / "spark-warehouse").resolve()),
    }
    command = spark_submit(
        spark.master,
        configuration,
        driver_memory=settings.spark_memory,
        executor_memory=EXECUTOR_MEMORY,
    )
    return [*command, str(_main_file())]


def _main_file() -> Path:
    """Return the file that spark-submit runs: among the rooms in an installation, else beside."""
    installed = ROOMS / "submit.py"
    return installed if installed.exists() else ROOMS / "nest_camera_analytics" / "submit.py"
