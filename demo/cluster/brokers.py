"""Three Kafka brokers on this machine, each of them a controller, too: one may fail."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

from contract.kafka.connections import ask_admin, describe_topic
from contract.settings import Settings
from demo.stack.broker import answers_metadata
from demo.stack.kafka_java import (
    SERVER,
    as_java_property,
    format_storage,
    is_formatted,
    kafka_java,
    require_kafka_jars,
)
from demo.stack.ports import LOOPBACK, free_port, is_open
from demo.stack.private_files import OWNER_ONLY, make_private_folder
from demo.stack.service import Service
from demo.stack.startable import Startable

HEAP = "192m"
NODES = (1, 2, 3)
_CLUSTER_ID = "bmVzdCB0aHJlZSBub2Rlcw"


class Brokers(Startable):
    """Three brokers; every topic is on all, and two of them must have a message."""

    def __init__(self, settings: Settings, folder: Path, ports: Sequence[int] = (0, 0, 0)) -> None:
        """Describe them, with their logs below ``folder``; without ports they take free ones."""
        self._folder = folder.resolve()
        listeners = [port or free_port() for port in ports]
        controllers = [free_port() for _ in NODES]
        self.bootstrap_servers = ",".join(f"{LOOPBACK}:{port}" for port in listeners)
        self._voters = ",".join(
            f"{node}@{LOOPBACK}:{port}" for node, port in zip(NODES, controllers, strict=True)
        )
        self._settings = settings
        self._java = kafka_java(settings, HEAP, "the brokers")
        self._ports = list(zip(NODES, listeners, controllers, strict=True))
        self.services = [
            Service(
                f"Kafka {node}",
                [*self._java, SERVER, str(self._properties_file(node))],
                log=self._folder / f"kafka-{node}.log",
                ready=partial(_answers, port),
                # Asked to stop, the last one would wait for a quorum that never comes.
                stop_timeout=3,
                umask=OWNER_ONLY,
            )
            for node, port, _ in self._ports
        ]

    def start(self) -> None:
        """Format their storage if it is new, and start them at the same time: one has no quorum.

        Raises UserError, with the end of its log, when one does not start.
        """
        require_kafka_jars(self._settings)
        make_private_folder(self._folder)
        for node, port, controller in self._ports:
            text = _node_properties(node, port, controller, self._voters, self._data(node))
            self._properties_file(node).write_text(text)
        with ThreadPoolExecutor(len(NODES)) as pool:
            list(pool.map(self._format, NODES))
        for service in self.services:
            service.spawn()
        for service in self.services:
            service.wait_until_ready()

    def kill(self, node: int) -> None:
        """Kill a broker as a power cut does."""
        self.services[NODES.index(node)].kill()

    def in_sync(self, topic: str) -> list[int]:
        """Return for each partition of a topic how many brokers have all of it."""
        described = ask_admin(self.bootstrap_servers, lambda admin: describe_topic(admin, topic))
        return [len(partition["isr_nodes"]) for partition in described["partitions"]]

    def stop(self) -> None:
        """Kill all, at the same time: one after the other, the last would wait for a quorum."""
        for service in self.services:
            service.kill()

    def _properties_file(self, node: int) -> Path:
        return self._folder / f"broker-{node}.properties"

    def _data(self, node: int) -> Path:
        return self._folder / f"log-{node}"

    def _format(self, node: int) -> None:
        if not is_formatted(self._data(node)):
            format_storage(self._java, self._properties_file(node), _CLUSTER_ID)


def _answers(port: int) -> bool:
    return is_open(port) and answers_metadata(f"{LOOPBACK}:{port}")


def _node_properties(node: int, port: int, controller: int, voters: str, data: Path) -> str:
    # In production: each on a machine, or at least in a rack, of its own, and the listeners secured
    # as in broker_properties.py.
    return "\n".join(
        [
            "process.roles=broker,controller",
            f"node.id={node}",
            f"controller.quorum.voters={voters}",
            f"listeners=BROKER://{LOOPBACK}:{port},CONTROLLER://{LOOPBACK}:{controller}",
            f"advertised.listeners=BROKER://{LOOPBACK}:{port}",
            "listener.security.protocol.map=BROKER:PLAINTEXT,CONTROLLER:PLAINTEXT",
            "inter.broker.listener.name=BROKER",
            "controller.listener.names=CONTROLLER",
            f"log.dirs={as_java_property(str(data))}",
            "default.replication.factor=3",
            "min.insync.replicas=2",
            "unclean.leader.election.enable=false",
            "offsets.topic.num.partitions=1",
            "transaction.state.log.num.partitions=1",
            "group.initial.rebalance.delay.ms=0",
            "auto.create.topics.enable=false",
            "broker.session.timeout.ms=3000",  # by default 9000: how long a dead one is believed
            "broker.heartbeat.interval.ms=500",
            "log.cleaner.dedupe.buffer.size=16777216",
            "",
        ]
    )
