"""The embedded Kafka: one real Apache Kafka node in KRaft mode, on this machine only."""

import base64
import subprocess
import uuid
from pathlib import Path

from kafka import KafkaAdminClient
from kafka.errors import KafkaError

from contract.errors import UserError
from contract.java import require_java
from contract.settings import Settings
from demo.stack.ports import KAFKA_PORT, LOOPBACK, free_port, is_free, is_open
from demo.stack.private_files import OWNER_ONLY, make_private_folder, open_private
from demo.stack.service import Service

_LOGGING = Path(__file__).with_name("kafka_logging.xml")


class Broker(Service):
    """A Kafka broker that is its own controller; ``bootstrap_servers`` is where clients find it."""

    def __init__(self, settings: Settings, data: Path, log: Path, port: int | None = None) -> None:
        """Describe a broker with its log in ``data``.

        Without a port it takes 9092, or a free one if that is taken.
        """
        self.data = data.resolve()
        self.port = port or free_port(KAFKA_PORT)
        self.bootstrap_servers = f"localhost:{self.port}"
        self._jars = settings.state.resolve() / "jars" / "broker"
        self._java = [
            require_java(settings.kafka_memory, "NEST_KAFKA_MEMORY"),
            f"-Xmx{settings.kafka_memory}",
            "-XX:+UseSerialGC",
            "-Djava.awt.headless=true",
            f"-Dlog4j2.configurationFile={_LOGGING}",
            "-cp",
            f"{self._jars}/*",
        ]
        super().__init__(
            "Kafka",
            [*self._java, "kafka.Kafka", str(self._properties)],
            log=log,
            ready=lambda: is_open(self.port) and answers_metadata(self.bootstrap_servers),
            stop_timeout=10,
            umask=OWNER_ONLY,
        )

    @property
    def _properties(self) -> Path:
        return self.data / "server.properties"

    def start(self) -> "Broker":
        """Format the storage if it is new, start Kafka and return when it answers clients.

        Raises UserError, with the end of its log, when that fails.
        """
        if not any(self._jars.glob("*.jar")):
            raise UserError(f"Kafka's jars are not in {self._jars}. `nest jars` fetches them.")
        if not is_free(self.port):
            raise UserError(f"Port {self.port} is taken. Give `nest broker` another with --port.")
        self._make_folders()
        with open_private(self._properties) as file:
            file.write(server_properties(self.data, self.port, free_port()))
        if not (self.data / "log" / "meta.properties").exists():
            self._format_storage()
        return super().start()

    def _make_folders(self) -> None:
        """Make the folders, for their owner alone; a folder that holds other files stays as it is.

        The log is always Kafka's own.
        """
        names = {path.name for path in self.data.iterdir()} if self.data.exists() else set()
        if names <= {self._properties.name, "log"}:
            make_private_folder(self.data)
        make_private_folder(self.data / "log")

    def _format_storage(self) -> None:
        tool = ["kafka.tools.StorageTool", "format", "--ignore-formatted", "-t", _cluster_id()]
        done = subprocess.run(
            [*self._java, *tool, "-c", str(self._properties)],
            check=False,
            capture_output=True,
            text=True,
            umask=OWNER_ONLY,
        )
        if done.returncode:
            raise UserError(
                f"Kafka's storage in {self.data} could not be formatted:\n"
                f"{(done.stdout + done.stderr).strip()[-2000:]}"
            )


def server_properties(data: Path, port: int, controller_port: int) -> str:
    """Return the configuration of a node that is broker and controller, on loopback only."""
    # In production: three controllers and three brokers on machines of their own, replication
    # factor 3 with min.insync.replicas=2, and TLS with authentication on the listeners.
    return "\n".join(
        [
            "process.roles=broker,controller",
            "node.id=1",
            f"controller.quorum.voters=1@{LOOPBACK}:{controller_port}",
            f"listeners=BROKER://{LOOPBACK}:{port},CONTROLLER://{LOOPBACK}:{controller_port}",
            f"advertised.listeners=BROKER://{LOOPBACK}:{port}",
            "listener.security.protocol.map=BROKER:PLAINTEXT,CONTROLLER:PLAINTEXT",
            "inter.broker.listener.name=BROKER",
            "controller.listener.names=CONTROLLER",
            f"log.dirs={data / 'log'}",
            "offsets.topic.num.partitions=1",
            "offsets.topic.replication.factor=1",
            "transaction.state.log.num.partitions=1",
            "transaction.state.log.replication.factor=1",
            "transaction.state.log.min.isr=1",
            "share.coordinator.state.topic.replication.factor=1",
            "share.coordinator.state.topic.min.isr=1",
            "group.initial.rebalance.delay.ms=0",
            # A misspelt topic is an error and not a new topic.
            "auto.create.topics.enable=false",
            # The cleaner's buffer is 128 MB by default, a quarter of this heap.
            "log.cleaner.dedupe.buffer.size=16777216",
            "",
        ]
    )


def answers_metadata(bootstrap_servers: str) -> bool:
    """Tell whether a broker answers a request for metadata."""
    try:
        admin = KafkaAdminClient(bootstrap_servers=bootstrap_servers, bootstrap_timeout_ms=2000)
    except KafkaError:
        return False
    try:
        admin.list_topics()
        return bool(admin.describe_cluster()["brokers"])
    except KafkaError:
        return False
    finally:
        admin.close()


def _cluster_id() -> str:
    """Return a random id as Kafka writes them: 22 characters, the first no hyphen."""
    while True:
        text = base64.urlsafe_b64encode(uuid.uuid4().bytes).decode().rstrip("=")
        if not text.startswith("-"):
            return text
