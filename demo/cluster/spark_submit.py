"""The command line of spark-submit, for a driver and executors that are all on this machine."""

from collections.abc import Mapping
from pathlib import Path

from demo.cluster.spark_standalone import SPARK_HOME
from demo.stack.ports import LOOPBACK

ROOMS = Path(__file__).parents[2]


def one_machine_configuration(*jar_folders: Path) -> dict[str, str]:
    """Return how driver and executors find the jars, the project's modules and each other.

    On several machines the jars and modules are sent along or are in the image (docs/cluster.md).
    """
    jars = ":".join(f"{folder.resolve()}/*" for folder in jar_folders)
    return {
        "spark.driver.extraClassPath": jars,
        "spark.executor.extraClassPath": jars,
        "spark.executorEnv.PYTHONPATH": str(ROOMS),
        "spark.driver.host": LOOPBACK,
        "spark.driver.bindAddress": LOOPBACK,
    }


def conf_options(configuration: Mapping[str, str]) -> list[str]:
    """Return the words of a command line that set Spark's properties."""
    return [word for name, value in configuration.items() for word in ("--conf", f"{name}={value}")]


def spark_submit(
    master: str, configuration: Mapping[str, str], *, driver_memory: str, executor_memory: str
) -> list[str]:
    """Return the command line up to the file that runs, in client mode."""
    command = [str(SPARK_HOME / "bin" / "spark-submit"), "--master", master]
    command += ["--deploy-mode", "client", "--driver-memory", driver_memory]
    return [*command, "--executor-memory", executor_memory, *conf_options(configuration)]
