"""A topic with partitions and replicas, and a kafka-python producer that knows what arrived.

You should see where each message landed, by its acknowledgement; what did not arrive, because the
client or the broker refused it; and what a timeout means while Kafka stands still: not "lost", but
"unknown".
"""

from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from kafka import KafkaProducer
from kafka.admin import NewTopic
from kafka.errors import KafkaError
from kafka.producer.future import FutureRecordMetadata

from contract.kafka.connections import open_admin
from contract.polling import poll_until
from examples.playground import Playground, Record

ROWS = ("C1",)


@dataclass(frozen=True)
class Observed:
    """The topic, the acknowledgements as (partition, offset), and the names of the errors.

    ``unknown`` has what was sent while Kafka stood still.
    """

    partitions: int
    replicas: int
    acknowledged: list[tuple[int, int]]
    partitions_of_one_home: int
    errors: dict[str, str]
    unknown: dict[str, "SendOutcome"]


@dataclass(frozen=True)
class SendOutcome:
    """What the wait for a record said, and how many times it was in the topic at the end.

    ``had_given_up`` says whether its producer had stopped trying by then.
    """

    error: str
    had_given_up: bool
    in_the_topic: int


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
        metadata = [future.get() for future in sent]

    def error_of(topic: str, record: Record) -> str:
        with closing(new_producer(playground)) as producer:
            try:
                future = producer.send(topic, record.value, timestamp_ms=record.timestamp)
                future.get()
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
        unknown=send_while_kafka_is_paused(playground),
    )
    playground.say(f"{observed.partitions} partitions, {observed.replicas} replica of each.")
    playground.say(f"Acknowledged, as (partition, offset): {observed.acknowledged}")
    playground.say("All messages of one home are in one partition, because their key is the same.")
    playground.show(
        "Not arrived", [{"what": what, "error": error} for what, error in observed.errors.items()]
    )
    playground.say(
        "The first three are refused. The last was never sent: for a second (max_block_ms) the "
        "client asked again and again for the topic's partitions, since a topic may come."
    )
    playground.show(
        "Sent while Kafka stood still",
        [{"what": what, **vars(outcome)} for what, outcome in observed.unknown.items()],
    )
    playground.say(
        "So a timeout means: unknown. get(timeout=...) ends only our wait, and the client goes on "
        "trying. Its tries made no second record, because they have a number "
        "(enable_idempotence); what the program sends again is a new record. Therefore: get() "
        "without a timeout. It ends when delivery_timeout_ms is over; then nobody tries any "
        "more, and even then the record may be in the topic. producer/sender.py names the record "
        "and stops."
    )
    return observed


def new_producer(playground: Playground, **options: int) -> KafkaProducer:
    """Return a producer that waits for all replicas, and tries again until it gives up."""
    settings = {
        "acks": "all",  # the leader answers when all replicas in sync have the record
        "enable_idempotence": True,  # what the client sends again is not written again
        "retry_backoff_ms": 100,
        "max_block_ms": 1_000,  # for the topic's partitions; in production: a minute
        "delivery_timeout_ms": 60_000,  # for the acknowledgement; in production: two minutes
        "allow_auto_create_topics": False,
    }
    servers = playground.bootstrap_servers.split(",")
    return KafkaProducer(bootstrap_servers=servers, **(settings | options))


def send_while_kafka_is_paused(playground: Playground) -> dict[str, SendOutcome]:
    """Send three records to a Kafka that stands still, and look for them when it has gone on."""
    topic = playground.topic("unknown")
    ways = ("waited for", "sent again", "given up")
    # After a second without an answer the client tries again; in production: 30, as by default.
    patient = new_producer(playground, request_timeout_ms=1_000)
    hasty = new_producer(playground, request_timeout_ms=1_000, delivery_timeout_ms=5_000)
    with closing(patient), closing(hasty):
        for producer in (patient, hasty):
            producer.send(topic, b"before").get()
        with playground.kafka_paused():
            sent = [
                producer.send(topic, way.encode())
                for way, producer in zip(ways, (patient, patient, hasty), strict=True)
            ]
            errors = [error_of_wait(future, s) for future, s in zip(sent, (2, 2, 10), strict=True)]
            had_given_up = [future.is_done for future in sent]
            again = patient.send(topic, b"sent again")
        sent[0].get()
        sent[1].get()
        again.get()

    def found() -> list[str]:
        return [(record.value or b"").decode() for record in playground.records(topic)]

    poll_until(lambda: set(ways) <= set(found()), "the record that was given up", 30)
    values = found()
    return {
        way: SendOutcome(error, gave_up, values.count(way))
        for way, error, gave_up in zip(ways, errors, had_given_up, strict=True)
    }


def error_of_wait(future: FutureRecordMetadata, seconds: float) -> str:
    """Return the name of the error that waiting so long for an acknowledgement gives."""
    try:
        future.get(timeout=seconds)
    except KafkaError as error:
        return type(error).__name__
    return "none"


def creation_error(playground: Playground, topic: str) -> str:
    """Return the name of the error that creating a topic with three replicas gives."""
    with open_admin(playground.bootstrap_servers) as admin:
        try:
            admin.create_topics([NewTopic(topic, 1, 3)])
        except KafkaError as error:
            return type(error).__name__
    return "none"
