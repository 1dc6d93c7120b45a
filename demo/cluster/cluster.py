"""The whole cluster in order: object store, brokers, Spark; and the settings that lead to it."""

from collections.abc import Callable
from math import ceil
from pathlib import Path

from contract.errors import UserError
from contract.kafka.log_offsets import end_offsets
from contract.lake import resolved_location
from contract.polling import poll_until
from contract.settings import Settings
from contract.topic_admin import wanted_topics
from demo.cluster.brokers import NODES, Brokers
from demo.cluster.s3proxy import S3Proxy
from demo.cluster.spark_standalone import SparkStandalone
from demo.cluster.submitted import Submitted
from demo.stack.device_locations import ensure_device_locations
from demo.stack.environment import environment, shell_exports
from demo.stack.ports import free_port
from demo.stack.private_files import open_private
from demo.stack.service import Service
from demo.stack.services import stop_in_reverse
from demo.stack.startable import Startable
from demo.stack.topics import ensure_topics

WORKERS = 2
_TOPICS_TIMEOUT_S = 60.0
KAFKA_PORTS = (9192, 9292, 9392)
MASTER_PORT, MASTER_PAGE, STORE_PORT = 7077, 8080, 9000
_CORES = 2
"""Task slots of each worker: a task waits for the object store much of its time."""


class Cluster(Startable):
    """Three brokers, an object store, a Spark master and two workers, with data in one folder."""

    def __init__(self, settings: Settings, folder: Path) -> None:
        """Describe it; ports are the usual ones or, where these are taken, others."""
        folder = folder.resolve()
        if settings.kafka_secure:
            raise UserError("`nest cluster` has no users yet: leave NEST_KAFKA_SECURE out.")
        self.folder = folder
        self.store = S3Proxy(
            settings, folder / "store", folder / "logs" / "store.log", free_port(STORE_PORT)
        )
        self.brokers = Brokers(settings, folder / "kafka", [free_port(p) for p in KAFKA_PORTS])
        with_sightings = settings.sightings and "sightings" in settings.model_fields_set
        # The query sightings keeps a slot of the cluster for each partition.
        real_time = ceil(settings.partitions / WORKERS) if with_sightings else 0
        self.spark = SparkStandalone(
            folder / "spark",
            workers=WORKERS,
            cores=_CORES + real_time,
            port=free_port(MASTER_PORT),
            page=free_port(MASTER_PAGE),
        )
        settings = ensure_device_locations(settings)
        self.settings = self.store.with_lake_in_it(settings).model_copy(
            update={
                "sightings": with_sightings,
                "bootstrap_servers": self.brokers.bootstrap_servers,
                "spark_ui_port": free_port(settings.spark_ui_port),
                "dashboard_port": free_port(settings.dashboard_port, settings.bind_address),
                "replication_factor": len(NODES),
                "min_insync_replicas": 2,
                "device_locations": resolved_location(settings.device_locations),
            }
        )

    @property
    def services(self) -> list[Service]:
        """All of its processes, in the order in which they are started."""
        return [self.store, *self.brokers.services, *self.spark.services]

    def start(self, started: Callable[[Service], None] = lambda service: None) -> None:
        """Start everything and create the topics; UserError for what does not start.

        ``started`` is told each service that is ready. What was started is left to the caller.
        """
        self.folder.mkdir(parents=True, exist_ok=True)
        self.store.start()
        started(self.store)
        self.brokers.start()
        for service in self.brokers.services:
            started(service)
        ensure_topics(self.settings.kafka, wanted_topics(self.settings))
        poll_until(self._are_topics_known, "the topics on every broker", _TOPICS_TIMEOUT_S)
        for service in self.spark.services:
            service.start()
            started(service)
        if self.settings.object_store:
            self.settings.object_store.use_in_this_process()
        with open_private(self.environment_file) as file:
            file.write(shell_exports(environment(self.settings)))

    def _are_topics_known(self) -> bool:
        """Tell whether each broker has heard of nest-logs; one that has not would deny it."""
        try:
            return all(end_offsets(server) for server in self.settings.kafka.servers)
        except UserError:
            return False

    @property
    def environment_file(self) -> Path:
        """The settings as a shell reads them, for commands in other terminals."""
        return self.folder / "settings.env"

    def submit(
        self,
        name: str,
        command: list[str],
        settings: Settings | None = None,
        log: Path | None = None,
        ready: Callable[[], bool] = lambda: True,
    ) -> Submitted:
        """Return a `nest` command that runs by spark-submit on this cluster."""
        given = self.settings if settings is None else settings
        return Submitted(name, command, given, self.spark, log=log, ready=ready)

    def stop(self) -> None:
        """Stop everything that runs, the last one first."""
        running = [service for service in self.services if service.running()]
        for _ in stop_in_reverse(running):
            pass
