"""Spark's own cluster manager on this machine: a master and workers, as pyspark ships them."""

import json
import urllib.request
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, cast

import pyspark

from contract.errors import UserError
from contract.java import QUICK_COMPILER_OPTIONS
from demo.stack.ports import LOOPBACK, free_port
from demo.stack.service import Service
from demo.stack.startable import Startable

SPARK_HOME = Path(pyspark.__file__).parent
DAEMON_HEAP = "128m"
_JAVA = " ".join(("-XX:+UseSerialGC", *QUICK_COMPILER_OPTIONS))


class SparkStandalone(Startable):
    """A master and its workers; ``master`` is their address for spark-submit."""

    def __init__(
        self,
        folder: Path,
        *,
        workers: int = 1,
        cores: int = 1,
        memory: str = "1g",
        port: int = 0,
        page: int = 0,
    ) -> None:
        """Describe them, with logs and work below ``folder``; cores and memory are each worker's.

        The port is the master's, the page the one that shows it; without them they take free ones.
        """
        port, self._page = port or free_port(), page or free_port()
        self.master = f"spark://{LOOPBACK}:{port}"
        self.page = f"http://{LOOPBACK}:{self._page}"
        self.environment = {
            "SPARK_HOME": str(SPARK_HOME),
            "SPARK_CONF_DIR": str(folder.resolve()),  # nobody's own settings
            "SPARK_LOCAL_IP": LOOPBACK,
            "SPARK_DAEMON_MEMORY": DAEMON_HEAP,
            "SPARK_DAEMON_JAVA_OPTS": _JAVA,
        }
        self._folder = folder.resolve()
        listening = ["--port", str(port), "--webui-port", str(self._page)]
        self.services = [
            self._daemon("Master", "Spark master", listening, partial(self._has_workers, 0))
        ]
        for number in range(1, workers + 1):
            options = ["--webui-port", str(free_port()), "--cores", str(cores), "--memory", memory]
            options += ["--work-dir", str(self._folder / f"work-{number}"), self.master]
            ready = partial(self._has_workers, number)
            name = f"Spark worker {number}" if workers > 1 else "Spark worker"
            self.services.append(self._daemon("Worker", name, options, ready))

    def alive_workers(self) -> int | None:
        """Return how many workers the master knows to live; None while it does not answer."""
        try:
            with urllib.request.urlopen(f"{self.page}/json/", timeout=2) as answer:  # noqa: S310
                status = cast("dict[str, Any]", json.load(answer))
        except (OSError, ValueError):
            return None
        return int(status["aliveworkers"])

    def start(self) -> None:
        """Start the master, then the workers; UserError, with its log, when one does not start."""
        if not (SPARK_HOME / "bin" / "spark-class").exists():
            raise UserError(f"There is no Spark in {SPARK_HOME}. Run `make setup`.")
        for service in self.services:
            service.start()

    def stop(self) -> None:
        """Stop the workers, then the master."""
        for service in reversed(self.services):
            service.stop()

    def _has_workers(self, number: int) -> bool:
        alive = self.alive_workers()
        return alive is not None and alive >= number

    def _daemon(
        self, kind: str, name: str, options: list[str], ready: Callable[[], bool]
    ) -> Service:
        java_class = f"org.apache.spark.deploy.{kind.lower()}.{kind}"
        command = [str(SPARK_HOME / "bin" / "spark-class"), java_class, "--host", LOOPBACK]
        log = self._folder / f"{name.lower().replace(' ', '-')}.log"
        return Service(
            name, [*command, *options], log=log, ready=ready, environment=self.environment
        )
