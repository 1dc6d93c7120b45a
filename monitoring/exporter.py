"""The endpoint that Prometheus scrapes."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from prometheus_client import CollectorRegistry, start_http_server
from prometheus_client.metrics_core import Metric as Family
from prometheus_client.registry import Collector

from contract.errors import UserError
from contract.last_check import read_last_check
from contract.print_line import PrintLine
from contract.settings import Settings
from monitoring.background_reader import BackgroundReader
from monitoring.kafka_readings import KafkaReadings, read_kafka
from monitoring.lake_readings import LakeReadings, read_lake
from monitoring.metrics import METRICS, Readings, Source

KAFKA_INTERVAL_S = 5.0
LAKE_INTERVAL_S = 15.0


class Exporter(Collector):
    """Answers a scrape at once, with what has been read in the background."""

    def __init__(
        self,
        settings: Settings,
        say: PrintLine,
        kafka_interval: float = KAFKA_INTERVAL_S,
        lake_interval: float = LAKE_INTERVAL_S,
    ) -> None:
        """Describe what is read, and how often; intervals in seconds."""
        self._settings = settings
        self._kafka: BackgroundReader[KafkaReadings] = BackgroundReader(
            partial(read_kafka, settings.kafka, settings.queries),
            kafka_interval,
            4 * kafka_interval,
            lambda line: say(f"Kafka: {line}"),
        )
        self._lake: BackgroundReader[LakeReadings] = BackgroundReader(
            partial(read_lake, settings.lake),
            lake_interval,
            4 * lake_interval,
            lambda line: say(f"Lake: {line}"),
        )

    def start(self) -> None:
        """Begin to read."""
        self._kafka.start()
        self._lake.start()

    def stop(self) -> None:
        """Read no more."""
        self._kafka.stop()
        self._lake.stop()

    def collect(self) -> Iterator[Family]:
        """Yield every metric with what is known now."""
        readings = self.readings()
        for metric in METRICS:
            yield metric.family(readings)

    def readings(self) -> Readings:
        """Return what is known now."""
        pending: dict[Source, bool] = {
            "kafka": self._kafka.is_pending,
            "lake": self._lake.is_pending,
        }
        return Readings(
            datetime.now(UTC),
            self._kafka.latest,
            self._lake.latest,
            read_last_check(self._settings.state),
            _free_bytes(self._settings),
            frozenset(source for source, is_pending in pending.items() if is_pending),
        )


@contextmanager
def serving(settings: Settings, port: int, exporter: Exporter) -> Iterator[int]:
    """Serve the metrics while the ``with`` lasts; yields the port, of which 0 takes any.

    Raises UserError if it cannot listen there.
    """
    registry = CollectorRegistry()
    registry.register(exporter)
    try:
        server, _ = start_http_server(port, settings.bind_address, registry)
    except OSError as error:
        raise UserError(
            f"{settings.bind_address}:{port} cannot be listened on: {error.strerror}. "
            "Give `nest metrics` another port with --port, or set NEST_METRICS_PORT."
        ) from None
    exporter.start()
    try:
        yield server.server_port
    finally:
        exporter.stop()
        server.shutdown()
        server.server_close()


def _free_bytes(settings: Settings) -> dict[str, int]:
    """Return the free space of the disks by what is on them; what is elsewhere is left out."""
    folders = {"lake": Path(settings.lake), "state": settings.state}
    found = {}
    for name, folder in folders.items():
        with suppress(OSError):
            found[name] = shutil.disk_usage(folder).free
    return found
