"""The embedded Kafka: one real Apache Kafka node in KRaft mode, on this machine only."""

import base64
import uuid
from collections.abc import Sequence
from pathlib import Path

import psutil
from kafka import KafkaAdminClient
from kafka.errors import KafkaError

from contract.errors import UserError
from contract.kafka.cluster import Kafka, as_cluster
from contract.settings import Settings
from demo.stack.broker_properties import server_properties
from demo.stack.kafka_java import (
    SERVER,
    KafkaFolderFile,
    format_storage,
    is_formatted,
    is_storage_in_use,
    kafka_java,
    require_kafka_jars,
    require_usable_path,
)
from demo.stack.ports import KAFKA_PORT, free_port, is_free, is_open
from demo.stack.private_files import OWNER_ONLY, make_private_folder, open_private
from demo.stack.security.credentials import BROKER, as_user, credentials
from demo.stack.security.grant import grant_rights
from demo.stack.service import Service


class Broker(Service):
    """A Kafka broker that is its own controller; ``bootstrap_servers`` is where clients find it.

    With NEST_KAFKA_SECURE it lets in known users only, over TLS. It makes their credentials at its
    first start and gives them their rights at each.
    """

    def __init__(
        self,
        settings: Settings,
        data: Path,
        log: Path,
        port: int | None = None,
        java_options: Sequence[str] = (),
    ) -> None:
        """Describe a broker with its log in ``data``.

        Its Java gets the ``java_options``, too. Without a port it takes 9092, or a free one if that
        is taken. Raises UserError where Java or its heap is missing, or Kafka would read the
        folder's path as another.
        """
        require_usable_path(data)
        self.data = data.resolve()
        self.port = port or free_port(KAFKA_PORT)
        self.bootstrap_servers = f"localhost:{self.port}"
        self._credentials = credentials(settings) if settings.kafka_secure else None
        own = settings.model_copy(update={"bootstrap_servers": self.bootstrap_servers})
        self._own = as_user(own, BROKER).kafka
        self._settings = settings
        self._java = kafka_java(settings, settings.kafka_memory, "NEST_KAFKA_MEMORY")
        super().__init__(
            "Kafka",
            [*self._java, *java_options, SERVER, str(self._properties)],
            log=log,
            ready=lambda: is_open(self.port) and answers_metadata(self._own),
            stop_timeout=10,
            umask=OWNER_ONLY,
        )

    @property
    def _properties(self) -> Path:
        return self.data / KafkaFolderFile.PROPERTIES

    def start(self) -> "Broker":
        """Format the storage if it is new, start Kafka and return when it answers clients.

        Raises UserError, with the end of its log, when that fails.
        """
        require_kafka_jars(self._settings)
        if self._credentials:
            self._credentials.make()
        is_new = not is_formatted(self.data / KafkaFolderFile.LOG)
        if not is_new:
            self._require_same_users()
        self._require_unused_folder()
        if not is_free(self.port):
            raise UserError(f"Port {self.port} is taken. Give `nest broker` another with --port.")
        self._make_folders()
        with open_private(self._properties) as file:
            properties = server_properties(self.data, self.port, free_port(), self._credentials)
            file.write(properties)
        if is_new:
            self._format_storage()
        super().start()
        if self._credentials:
            grant_rights(self._own)
        return self

    @property
    def _users(self) -> Path:
        """The file that says with which credentials the storage was made; none if it is open."""
        return self.data / KafkaFolderFile.USERS

    def _require_same_users(self) -> None:
        """Raise UserError if the storage was made with other users, with some, or without."""
        kept = self._users.read_text() if self._users.exists() else None
        if kept == (self._credentials.fingerprint if self._credentials else None):
            return
        if self._credentials is None:
            trouble = "was made with users: start it with --secure"
        elif kept is None:
            trouble = "was made without users, which are made with the storage"
        else:
            trouble = f"was made with other credentials than those in {self._credentials.folder}"
        raise UserError(
            f"Kafka's storage in {self.data} {trouble}. `nest reset` removes it, and `nest broker` "
            "takes another folder with --data."
        )

    def _require_unused_folder(self) -> None:
        if is_storage_in_use(self.data / KafkaFolderFile.LOG):
            found = _processes_with_argument(str(self._properties))
            processes = f" (process {', '.join(map(str, found))})" if found else ""
            raise UserError(
                f"Another Kafka is running on {self.data}{processes}, perhaps left by a "
                "`nest broker` that was killed. Stop it, or give `nest broker` another folder with "
                "--data."
            )

    def _make_folders(self) -> None:
        """Make the folders, for their owner alone; a folder that holds other files stays as it is.

        The log is always Kafka's own.
        """
        names = {path.name for path in self.data.iterdir()} if self.data.exists() else set()
        if names <= set(KafkaFolderFile):
            make_private_folder(self.data)
        make_private_folder(self.data / KafkaFolderFile.LOG)

    def _format_storage(self) -> None:
        users = ""
        if self._credentials:
            users = self._credentials.scram_arguments.read_text()
            with open_private(self._users) as file:
                file.write(self._credentials.fingerprint)
        format_storage(self._java, self._properties, _cluster_id(), users)


def answers_metadata(kafka: Kafka) -> bool:
    """Tell whether a broker answers a request for metadata."""
    arguments = as_cluster(kafka).python_arguments(KafkaAdminClient.DEFAULT_CONFIG)
    try:
        admin = KafkaAdminClient(**arguments | {"bootstrap_timeout_ms": 2000})
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


def _processes_with_argument(argument: str) -> list[int]:
    """Return the ids of the processes that were started with this argument on their command line.

    Processes of other users, whose command lines cannot be read, are not among them.
    """
    return [
        process.pid
        for process in psutil.process_iter(["cmdline"])
        if argument in (process.info["cmdline"] or ())
    ]
