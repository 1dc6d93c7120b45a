"""The configuration of the embedded Kafka: broker and controller in one, on loopback only."""

from pathlib import Path

from contract.kafka.cluster import jaas_config
from demo.stack.kafka_java import as_java_property
from demo.stack.ports import LOOPBACK
from demo.stack.security.credentials import BROKER, Credentials

_ONE_NODE = (
    "process.roles=broker,controller",
    "node.id=1",
    "controller.listener.names=CONTROLLER",
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
)


def server_properties(
    data: Path, port: int, controller_port: int, credentials: Credentials | None = None
) -> str:
    """Return the configuration; with ``credentials`` that of a Kafka that knows its users."""
    # In production: three controllers and three brokers on machines of their own, replication
    # factor 3 with min.insync.replicas=2, and TLS with authentication on the listeners.
    lines = [
        *_ONE_NODE,
        f"controller.quorum.voters=1@{LOOPBACK}:{controller_port}",
        f"listeners=BROKER://{LOOPBACK}:{port},CONTROLLER://{LOOPBACK}:{controller_port}",
        f"advertised.listeners=BROKER://{LOOPBACK}:{port}",
        "inter.broker.listener.name=BROKER",
        f"log.dirs={as_java_property(str(data / 'log'))}",
        *(_secured(credentials) if credentials else _open()),
    ]
    return "\n".join(lines) + "\n"


def _open() -> list[str]:
    return ["listener.security.protocol.map=BROKER:PLAINTEXT,CONTROLLER:PLAINTEXT"]


def _secured(credentials: Credentials) -> list[str]:
    """TLS everywhere, users by SCRAM, and nobody may do what no rule allows.

    To its controller the broker is who its certificate says, everywhere else the user ``broker``.
    """
    ca = credentials.ca_file(BROKER).resolve()
    # A reference: Kafka itself reads the password where it is used.
    password = f"${{directory:{credentials.password_file(BROKER).resolve().parent}:password}}"
    return [
        "config.providers=directory",
        "config.providers.directory.class="
        "org.apache.kafka.common.config.provider.DirectoryConfigProvider",
        "listener.security.protocol.map=BROKER:SASL_SSL,CONTROLLER:SSL",
        "sasl.enabled.mechanisms=SCRAM-SHA-512",
        "sasl.mechanism.inter.broker.protocol=SCRAM-SHA-512",
        "listener.name.broker.scram-sha-512.sasl.jaas.config="
        + as_java_property(jaas_config("SCRAM-SHA-512", BROKER, password)),
        "listener.name.controller.ssl.client.auth=required",
        "ssl.keystore.type=PEM",
        f"ssl.keystore.location={as_java_property(str(credentials.certificates.resolve()))}",
        "ssl.truststore.type=PEM",
        f"ssl.truststore.location={as_java_property(str(ca))}",
        "authorizer.class.name=org.apache.kafka.metadata.authorizer.StandardAuthorizer",
        f"super.users=User:{BROKER};User:CN=localhost",
    ]
