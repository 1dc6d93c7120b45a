"""Options of Kafka's own client pass with the prefix ``kafka.``, except those that Spark needs.

You should see that ``kafka.isolation.level`` decides whether records of an aborted transaction are
read, that a wrong size of a fetch is refused by Kafka's client itself, that two streams of one
``kafka.group.id`` both read everything, what Spark says to each option that it refuses and why, and
what ``timestampType`` means.
"""

from contextlib import closing
from dataclasses import dataclass

from kafka import KafkaProducer

from examples.error_text import in_one_line
from examples.playground import Playground, Record

ROWS = ("A14",)

SOURCE_OPTIONS = {
    "kafka.group.id": "examples",
    "kafka.auto.offset.reset": "earliest",
    "kafka.key.deserializer": "org.apache.kafka.common.serialization.StringDeserializer",
    "kafka.value.deserializer": "org.apache.kafka.common.serialization.StringDeserializer",
    "kafka.enable.auto.commit": "true",
    "kafka.interceptor.classes": "com.example.Interceptor",
}
FETCH_BYTES = "kafka.max.partition.fetch.bytes"
SINK_OPTIONS = {
    "kafka.key.serializer": "org.apache.kafka.common.serialization.StringSerializer",
    "kafka.value.serializer": "org.apache.kafka.common.serialization.StringSerializer",
}
WHY = {
    "kafka.group.id": "since Spark 3.0. Spark assigns the partitions; Kafka's group does not",
    "kafka.auto.offset.reset": "where to begin is startingOffsets, and then the checkpoint",
    "kafka.key.deserializer": "keys arrive as bytes; what they mean is a step of the query",
    "kafka.value.deserializer": "as for keys",
    "kafka.enable.auto.commit": "positions are kept in the checkpoint, not in Kafka",
    "kafka.interceptor.classes": "an interceptor could change records behind Spark's back",
    "kafka.key.serializer": "keys leave as bytes or text",
    "kafka.value.serializer": "as for keys",
}


@dataclass(frozen=True)
class Observed:
    """Values read by isolation level, Spark's words by option, and timestamp types by topic."""

    uncommitted: list[str]
    committed: list[str]
    wrong_size: str
    """What is said to a size that Kafka's client cannot take."""
    one_group: list[int]
    """How many records each of two streams of one group read."""
    answers: dict[str, str]
    timestamp_types: dict[str, int]


def run(playground: Playground) -> Observed:
    """Commit one transaction and abort another; then try each option."""
    topic = playground.topic("client-options")
    send_transactions(playground, topic)

    def read(**options: str) -> list[str]:
        reader = playground.read_batch().option("subscribe", topic).options(**options)
        return sorted(row.value.decode() for row in reader.load().select("value").collect())

    def write(**options: str) -> None:
        rows = playground.spark.createDataFrame([("a row",)], "value STRING")
        writer = rows.write.format("kafka").option("topic", topic).options(**options)
        writer.option("kafka.bootstrap.servers", playground.bootstrap_servers).save()

    answers = {}
    for action, options in ((read, SOURCE_OPTIONS), (write, SINK_OPTIONS)):
        for name, value in options.items():
            answers[name] = answer(playground, action, name, value)

    by_clock = {}
    for kind in ("CreateTime", "LogAppendTime"):
        other = playground.topic(kind, config={"message.timestamp.type": kind})
        playground.send(other, [Record(b"x", timestamp=1_700_000_000_000)])
        row = playground.read_batch().option("subscribe", other).load().first()
        by_clock[kind] = row.timestampType if row else -1

    observed = Observed(
        uncommitted=read(),
        committed=read(**{"kafka.isolation.level": "read_committed"}),
        wrong_size=playground.refusal(lambda: read(**{FETCH_BYTES: "-1"})),
        one_group=read_by_two_streams_of_one_group(playground),
        answers=answers,
        timestamp_types=by_clock,
    )
    playground.say(f"By default it reads {observed.uncommitted}.")
    playground.say(f"With kafka.isolation.level=read_committed: {observed.committed}.")
    playground.say(f"With {FETCH_BYTES}=-1: {observed.wrong_size}")
    playground.say(
        f"Two streams at once of one kafka.group.id, 40 records: {observed.one_group} were read. "
        "Spark's manual warns against one group for two queries, so let each have its own, as by "
        "default; a Kafka whose rights are for certain groups needs the option."
    )
    playground.say(
        "TLS and SASL pass in the same way, for example kafka.security.protocol. In production: "
        "passwords from a secret store, never in the query's code."
    )
    playground.show(
        "Options of Kafka's client, and what Spark says to them",
        [{"option": name, "answer": said, "why": WHY[name]} for name, said in answers.items()],
        unbroken="option",
    )
    playground.say(
        f"timestampType: {observed.timestamp_types}. 0 is the producer's clock, 1 the broker's."
    )
    return observed


def answer(playground: Playground, action: object, name: str, value: str) -> str:
    """Return what Spark says to an option."""
    try:
        action(**{name: value})  # type: ignore[operator]
    except Exception as error:
        return in_one_line(error).split(". ")[0].strip(" .")
    return "accepted"


def read_by_two_streams_of_one_group(playground: Playground) -> list[int]:
    """Run two streams of one group at the same time, and return how many records each read."""
    topic = playground.topic("one-group", partitions=4)
    messages = playground.messages(40)
    playground.send(topic, [each._replace(partition=n % 4) for n, each in enumerate(messages)])
    options = {"subscribe": topic, "startingOffsets": "earliest", "kafka.group.id": "examples"}
    streams = [playground.read_stream().options(**options).load() for _ in range(2)]
    queries = playground.run_all_to_end(stream.writeStream.format("noop") for stream in streams)
    return [sum(each["numInputRows"] for each in query.recentProgress) for query in queries]


def send_transactions(playground: Playground, topic: str) -> None:
    """Send a transaction that is committed, and one that is aborted."""
    producer = KafkaProducer(
        bootstrap_servers=playground.bootstrap_servers.split(","), transactional_id=topic
    )
    with closing(producer):
        producer.init_transactions()
        for value, end in (
            (b"committed", producer.commit_transaction),
            (b"aborted", producer.abort_transaction),
        ):
            producer.begin_transaction()
            producer.send(topic, value).get(timeout=30)
            end()
