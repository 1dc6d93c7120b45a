"""A topic with partitions and replicas, and a kafka-python producer that knows what arrived.

You should see where each message landed, by its acknowledgement; and what did not arrive: refused
by the client before it was sent, refused by the broker, or tried again until the time was up.
"""

from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from kafka import KafkaProducer
from kafka.admin import NewTopic
from kafka.errors import KafkaError

from contract.kafka.connections import open_admin
from examples.playground import Playground, Record

ROWS = ("C1",)


@dataclass(frozen=True)
class Observed:
    """The topic, the acknowledgements as (partition, offset), and the names of the errors."""

    partitions: int
    replicas: int
    acknowledged: list[tuple[int, int]]
    partitions_of_one_home: int
    errors: dict[str, str]


def run(playground: Playground) -> Observed:
    """Send ten messages and wait for their acknowledgements; then send what cannot arrive."""
    # In production: replication factor 3 and min.insync.replicas=2, so that one broker may fail.
    topic = playground.topic("acknowledged", partitions=3)
    with open_admin(playground.bootstrap_servers) as admin:
        (described,) = admin.describe_topics([topic])
    messages = playground.messages(10)
    with closing(new_producer(playground)) as producer:
        # Send them all, then wait: a wait after each would take a round trip a message.
        sent = [producer.send(topic, m.value, m.key, timestamp_ms=m.timestamp) for m in messages]
        metadata = [future.get(timeout=10) for future in sent]

    def error_of(topic: str, record: Record) -> str:
        with closing(new_producer(playground)) as producer:
            try:
                future = producer.send(topic, record.value, timestamp_ms=record.timestamp)
                future.get(timeout=10)
            except KafkaError as error:
                return type(error).__name__
            return "none"

    tomorrow = int((datetime.now(UTC) + timedelta(days=1)).timestamp() * 1000)
    home = messages[0].key
    at_home = [at for each, at in zip(messages, metadata, strict=True) if each.key == home]
    observed = Observed(
        partitions=len(described["partitions"]),
        replicas=len(described["partitions"][0]["replica_nodes"]),
        acknowledged=sorted((each.partition, each.offset) for each in metadata),
        partitions_of_one_home=len({each.partition for each in at_home}),
        errors={
            "topic with 3 replicas on 1 broker": creation_error(playground, f"{topic}-3"),
            "5 MB in one message": error_of(topic, Record(bytes(5 << 20))),
            "stamped tomorrow": error_of(topic, Record(b"{}", timestamp=tomorrow)),
            "topic that is not there": error_of(f"{topic}-misspelt", Record(b"{}")),
        },
    )
    playground.say(f"{observed.partitions} partitions, {observed.replicas} replica of each.")
    playground.say(f"Acknowledged, as (partition, offset): {observed.acknowledged}")
    playground.say("All messages of one home are in one partition, because their key is the same.")
    playground.show(
        "Not arrived", [{"what": what, "error": error} for what, error in observed.errors.items()]
    )
    playground.say(
        "Only the last is tried again and again, since such a thing can pass: a topic may come, a "
        "broker may come back. When the time is up the program has to decide what to do; "
        "producer/sender.py names the record and stops."
    )
    return observed


def new_producer(playground: Playground) -> KafkaProducer:
    """Return a producer that waits for all replicas, tries again, and gives up after a second."""
    return KafkaProducer(
        bootstrap_servers=playground.bootstrap_servers.split(","),
        acks="all",  # the leader answers when all replicas in sync have the record
        enable_idempotence=True,  # a record that is sent again is not written again
        retry_backoff_ms=100,
        max_block_ms=1_000,  # in production: a minute, as by default
        allow_auto_create_topics=False,
    )


def creation_error(playground: Playground, topic: str) -> str:
    """Return the name of the error that creating a topic with three replicas gives."""
    with open_admin(playground.bootstrap_servers) as admin:
        try:
            admin.create_topics([NewTopic(topic, 1, 3)])
        except KafkaError as error:
            return type(error).__name__
    return "none"
