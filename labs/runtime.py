"""The one Kafka and the one Spark of this process, which all of its labs share."""

import atexit
import shutil
import tempfile
import warnings
from contextlib import ExitStack
from functools import cache
from pathlib import Path

from pyspark.sql import SparkSession

from contract.kafka.connections import open_admin
from contract.settings import Settings, load_settings
from contract.topic_admin import delete_topics
from demo.stack.broker import Broker
from demo.stack.guardian import start_guardian
from demo.stack.ports import free_port
from demo.stack.security.credentials import without_users
from examples.kafka_client_log import silence_kafka_client
from examples.query_context_log import silence_query_context_log
from pipeline.spark.jvm import stop_session
from pipeline.spark.session import build_session, silence_jvm

ROOT = Path(__file__).parents[1]
"""The project's folder: in settings, paths begin there."""

# Beside a running demo there is not much memory: two cores and small heaps are enough for a lab.
_SMALL = {"spark_master": "local[2]", "spark_memory": "800m", "kafka_memory": "256m"}


class Runtime:
    """Kafka on a free port and a Spark session; ``folder`` is where labs put their files."""

    def __init__(self) -> None:
        """Start both, which takes some seconds.

        Raises UserError where Java or the jars are missing.
        """
        silence_kafka_client()
        silence_query_context_log()
        warnings.filterwarnings("ignore", category=FutureWarning, module="pyspark")
        self.is_shared = False
        self.settings = lab_settings()
        with ExitStack() as starting:  # what has started is stopped in the other order
            place = Path(tempfile.mkdtemp(prefix="nest-lab-")).resolve()
            starting.callback(shutil.rmtree, place, ignore_errors=True)
            self.folder = place / "lab"
            self.broker = Broker(self.settings, place / "kafka", place / "kafka.log", free_port())
            starting.enter_context(self.broker)
            starting.callback(start_guardian(self.broker.pid, place).kill)
            self.spark = build_session(self.settings, "labs", is_short=True)
            starting.callback(stop_session, self.spark)
            silence_jvm(self.spark)
            self._running = starting.pop_all()
        atexit.register(self._running.close)

    def new_session(self) -> SparkSession:
        """Return a session with configurations, temporary views and streams of its own."""
        session = self.spark.newSession()
        # For batches of a few rows, code for their rows takes Spark longer than the rows do.
        session.conf.set("spark.sql.codegen.factoryMode", "NO_CODEGEN")
        return session

    def clear(self) -> None:
        """Remove everything that a lab has left: topics, files, databases and cached rows."""
        self.spark.catalog.clearCache()
        for database in self.spark.catalog.listDatabases():
            if database.name != "default":
                self.spark.sql(f"DROP DATABASE `{database.name}` CASCADE")
        delete_all_topics(self.broker.bootstrap_servers)
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir()

    def stop(self) -> None:
        """Stop Spark and Kafka and remove their files; a second call does nothing."""
        atexit.unregister(self._running.close)
        runtime.cache_clear()
        self._running.close()


@cache
def runtime() -> Runtime:
    """Return the runtime of this process, which starts with the first call."""
    return Runtime()


def share() -> None:
    """Keep Kafka and Spark when a lab is closed, for the next lab of this process."""
    runtime().is_shared = True


def lab_settings() -> Settings:
    """Return the settings with those of a lab: little memory, and an open Kafka of its own."""
    settings = without_users(load_settings())
    state = (ROOT / settings.state).resolve()  # the jars are found from any folder
    own = {**_SMALL, "state": state, "spark_ui_port": 0}
    # In real time a query would take a core for each partition.
    return settings.model_copy(update={**own, "sightings": False})


def delete_all_topics(bootstrap_servers: str) -> None:
    """Delete all topics of a Kafka that is ours alone, and wait until they are gone."""
    with open_admin(bootstrap_servers) as admin:
        delete_topics(admin, (name for name in admin.list_topics() if not name.startswith("__")))
