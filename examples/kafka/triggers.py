"""Five triggers side by side: how long a record takes from topic to topic, and what is promised.

You should see the default (the next batch as soon as the last one ends), a fixed interval, all that
is available now, continuous processing and real-time mode. The latencies are measured here, with
one record at a time. An article on streaming from Kafka to Delta Lake quotes about 100 ms and
exactly once for micro-batches, about 1 ms and at least once for continuous processing. The delay is
why one streams at all: a nightly batch shows what happened at 00:10 a day later.
"""

from dataclasses import dataclass
from statistics import median

from kafka import KafkaConsumer, TopicPartition
from pyspark.sql.streaming.readwriter import DataStreamWriter

from contract.kafka.connections import open_consumer
from contract.polling import poll_until
from examples.playground import TIMEOUT_S, Playground, Record

ROWS = ("D6", "D9")

TRIGGERS: dict[str, dict[str, object]] = {
    "default": {"processingTime": "0 seconds"},
    "every second": {"processingTime": "1 second"},
    "available now": {"availableNow": True},
    "continuous": {"continuous": "1 second"},
    "real time": {"realTime": "5 seconds"},
}
PROMISES = {
    "default": "exactly once into Delta, at least once into Kafka",
    "every second": "the same; fewer, larger batches and files",
    "available now": "the same; a scheduled batch job with a checkpoint",
    "continuous": "at least once; map-like steps only, not into Delta; experimental",
    "real time": "at least once into Kafka; no state, no Python, no Delta; a slot per partition",
}


@dataclass(frozen=True)
class Observed:
    """Milliseconds from append to append on the broker's clock, by trigger, and two refusals."""

    latencies: dict[str, list[int]]
    continuous_with_a_count: str
    real_time_in_append_mode: str


def run(playground: Playground, records: int = 20) -> Observed:
    """Send records one by one through each trigger and wait for each."""
    latencies = {
        name: measure(playground, name.replace(" ", "-"), trigger, records)
        for name, trigger in TRIGGERS.items()
    }
    refused = playground.topic("refused")
    stream = playground.read_stream().option("subscribe", refused).load()
    count = stream.groupBy("key").count().selectExpr("key", "CAST(count AS STRING) AS value")

    def start(writer: DataStreamWriter, name: str, **trigger: str) -> None:
        writer = playground.to_kafka(writer, name).option("topic", refused).trigger(**trigger)
        with playground.running(writer) as query:
            query.awaitTermination(TIMEOUT_S)

    observed = Observed(
        latencies,
        playground.refusal(
            lambda: start(count.writeStream.outputMode("update"), "count", continuous="1 second")
        ),
        playground.refusal(
            lambda: start(stream.writeStream.outputMode("append"), "append", realTime="5 seconds")
        ),
    )
    playground.show(
        "Measured here: milliseconds from topic to topic, one record at a time",
        [
            {
                "trigger": name,
                "records": str(len(found)),
                "median": f"{median(found):,.0f}",
                "worst": f"{max(found):,}",
                "promise": PROMISES[name],
            }
            for name, found in latencies.items()
        ],
    )
    playground.say(
        "Available now starts a query for each record here, which is most of its time, so it gets "
        "one record. Continuous and real time keep a task running for each partition, so each "
        "holds a task slot."
    )
    playground.say(f"Continuous with a count: {observed.continuous_with_a_count}")
    playground.say(f"Real time in append mode: {observed.real_time_in_append_mode}")
    return observed


def measure(
    playground: Playground, name: str, trigger: dict[str, object], records: int
) -> list[int]:
    """Return how long each record took, in milliseconds on the broker's clock."""
    by_broker = {"message.timestamp.type": "LogAppendTime"}
    source = playground.topic(f"{name}-in", config=by_broker)
    sink = playground.topic(f"{name}-out", config=by_broker)
    stream = playground.read_stream().option("subscribe", source)
    # As in pipeline/source.py: else a task that has read all waits for half a second at the end.
    stream = stream.option("kafka.fetch.max.wait.ms", 20)
    rows = stream.option("startingOffsets", "earliest").load().select("key", "value")
    writer = playground.to_kafka(rows.writeStream.outputMode("update"), name).option("topic", sink)
    with open_consumer(playground.bootstrap_servers) as consumer:
        at = TopicPartition(sink, 0)
        consumer.assign([at])
        consumer.seek_to_beginning(at)
        if "availableNow" in trigger:
            for number in range(2):
                playground.send(source, [Record(str(number).encode())])
                playground.run_to_end(writer)
                wait_for(consumer, number)
        else:
            with playground.running(writer.trigger(**trigger)):  # type: ignore[call-overload]
                for number in range(records + 1):
                    playground.send(source, [Record(str(number).encode())])
                    wait_for(consumer, number)
    sent = {each.value: each.timestamp for each in playground.records(source)}
    arrived = {each.value: each.timestamp for each in playground.records(sink)}
    # The first record waits for the query to start.
    return [arrived[value] - sent[value] for value in list(sent)[1:]]


def wait_for(consumer: KafkaConsumer, number: int) -> None:
    """Return when the record of that number has come."""
    wanted = str(number).encode()

    def has_come() -> bool:
        batches = consumer.poll(timeout_ms=1_000)
        return any(each.value == wanted for records in batches.values() for each in records)

    poll_until(has_come, f"record {number}", TIMEOUT_S, interval=0.001)
