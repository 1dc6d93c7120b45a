"""Five triggers side by side: how long a record takes from topic to topic, and what is promised.

You should see the default (the next batch as soon as the last one ends), a fixed interval, all that
is available now, continuous processing and real-time mode. The latencies are measured here, with
one record at a time, beside those that an article on streaming from Kafka to Delta Lake quotes. A
short fetch wait, an option of the Kafka source, shortens those of the default and of continuous
processing, and not those of real-time mode: these three are measured with Kafka's own wait, too.
And you should see what the last two refuse. The delay is why one streams at all: a nightly batch
shows what happened at 00:10 a day later.
"""

import io
import re
from contextlib import redirect_stdout
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from itertools import pairwise
from statistics import median

from kafka import KafkaConsumer, TopicPartition
from pyspark.sql import DataFrame
from pyspark.sql import functions as F
from pyspark.sql.streaming.query import StreamingQuery
from pyspark.sql.streaming.readwriter import DataStreamWriter

from contract.instants import to_epoch_ms
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
    "continuous": "as documented, at least once; map-like steps only, not into Delta; experimental",
    "real time": "at least once into Kafka; no state, no Python, no Delta; a slot per partition",
}
QUOTED = {"default": "about 100", "continuous": "about 1"}
"""Milliseconds in the article, which says no more of the other triggers."""
FETCH_WAIT_MS = 20
"""How long the broker holds back an answer without records: ``kafka.fetch.max.wait.ms``, as in
pipeline/source.py. A task asks for the partition's end, too, and the broker answers that only after
the fetch that is under way. In real-time mode no task asks for it."""
KAFKAS_FETCH_WAIT_MS = 500
"""What Kafka's client has by default."""


@dataclass(frozen=True)
class MeasuredTrigger:
    """Of one trigger: milliseconds from append to append, on the broker's clock.

    And those from the start of a batch to that of the next, of the batches that had records. The
    name of the scan in Spark's plan tells how the source is read.
    """

    latencies: list[int]
    between_batches: list[int]
    scan: str


@dataclass(frozen=True)
class Observed:
    """What was measured by trigger, and Spark's words by query that a trigger refuses.

    ``measured_with_long_waits`` is with the fetch wait that Kafka's client has by default.
    """

    measured: dict[str, MeasuredTrigger]
    measured_with_long_waits: dict[str, MeasuredTrigger]
    refusals: dict[str, str]


def run(playground: Playground, records: int = 20) -> Observed:
    """Send records one by one through each trigger and wait for each."""
    measured = {
        name: measure(playground, name.replace(" ", "-"), trigger, records)
        for name, trigger in TRIGGERS.items()
    }
    with_long_waits = {
        name: measure(
            playground,
            f"{name}-long".replace(" ", "-"),
            TRIGGERS[name],
            records,
            KAFKAS_FETCH_WAIT_MS,
        )
        for name in ("default", "continuous", "real time")
    }
    playground.show(
        "Milliseconds from topic to topic, one record at a time: quoted, and measured here",
        [
            {
                "trigger": name,
                "fetch wait": str(wait),
                "quoted": QUOTED.get(name, "-"),
                "median": f"{median(found.latencies):,.0f}",
                "worst": f"{max(found.latencies):,}",
                "records": str(len(found.latencies)),
            }
            for wait, by_trigger in (
                (FETCH_WAIT_MS, measured),
                (KAFKAS_FETCH_WAIT_MS, with_long_waits),
            )
            for name, found in by_trigger.items()
        ],
    )
    playground.show(
        "How the source is read, by Spark's plan, and what is promised",
        [
            {"trigger": name, "scan": found.scan, "promise": PROMISES[name]}
            for name, found in measured.items()
        ],
    )
    playground.say(
        "The fetch wait is the source's option kafka.fetch.max.wait.ms. The broker holds back an "
        f"answer without records for so long, by default for {KAFKAS_FETCH_WAIT_MS} ms."
    )
    playground.say(
        "Available now starts a query for each record here, which is most of its time, so it gets "
        "one record. Continuous and real time keep a task running for each partition, so each "
        "holds a task slot."
    )
    for name in ("default", "every second"):
        pause = median(measured[name].between_batches)
        playground.say(f"From the start of a batch to the next one, {name}: {pause:,.0f} ms.")
    refused = refusals(playground)
    for name, said in refused.items():
        playground.say(f"{name}: {said}")
    return Observed(measured, with_long_waits, refused)


def refusals(playground: Playground) -> dict[str, str]:
    """Return what Spark says to each query that continuous processing or real time cannot run."""
    topic = playground.topic("refused")
    stream = playground.read_stream().option("subscribe", topic).load()
    count = stream.groupBy("key").count().selectExpr("key", "CAST(count AS STRING) AS value")
    by_python = stream.select(F.udf(bytes, "binary", useArrow=False)("value").alias("value"))
    continuous, real_time = {"continuous": "1 second"}, {"realTime": "5 seconds"}

    kafka = {"kafka.bootstrap.servers": playground.bootstrap_servers, "topic": topic}

    def to_kafka(rows: DataFrame, mode: str) -> DataStreamWriter:
        return rows.writeStream.outputMode(mode).format("kafka").options(**kafka)

    def to_delta() -> DataStreamWriter:
        return stream.writeStream.format("delta").option("path", playground.table("refused"))

    queries = {
        "Continuous with a count": (to_kafka(count, "update"), continuous),
        "Continuous into Delta": (to_delta(), continuous),
        "Real time with a count": (to_kafka(count, "update"), real_time),
        "Real time with a Python function": (to_kafka(by_python, "update"), real_time),
        "Real time into Delta": (to_delta(), real_time),
        "Real time in append mode": (to_kafka(stream, "append"), real_time),
    }

    def start(name: str) -> None:
        writer, trigger = queries[name]
        writer = writer.option("checkpointLocation", playground.checkpoint(f"refused {name}"))
        with playground.running(writer.trigger(**trigger)) as query:
            query.awaitTermination(TIMEOUT_S)

    return {
        name: playground.refusal(partial(start, name)).split(" To bypass")[0] for name in queries
    }


def measure(
    playground: Playground,
    name: str,
    trigger: dict[str, object],
    records: int,
    fetch_wait_ms: int = FETCH_WAIT_MS,
) -> MeasuredTrigger:
    """Send records one by one to a query with a trigger, and measure what becomes of them."""
    by_broker = {"message.timestamp.type": "LogAppendTime"}
    source = playground.topic(f"{name}-in", config=by_broker)
    sink = playground.topic(f"{name}-out", config=by_broker)
    stream = playground.read_stream().option("subscribe", source)
    stream = stream.option("kafka.fetch.max.wait.ms", fetch_wait_ms)
    rows = stream.option("startingOffsets", "earliest").load().select("key", "value")
    writer = playground.to_kafka(rows.writeStream.outputMode("update"), name).option("topic", sink)
    with open_consumer(playground.bootstrap_servers) as consumer:
        at = TopicPartition(sink, 0)
        consumer.assign([at])
        consumer.seek_to_beginning(at)
        if "availableNow" in trigger:
            for number in range(2):
                playground.send(source, [Record(str(number).encode())])
                query = playground.run_to_end(writer)
                wait_for(consumer, number)
            starts, scan = [], scan_in_plan(query)
        else:
            running = playground.running(writer.trigger(**trigger))  # type: ignore[call-overload]
            with running as query:
                for number in range(records + 1):
                    playground.send(source, [Record(str(number).encode())])
                    wait_for(consumer, number)
                starts, scan = batch_starts(query), scan_in_plan(query)
    sent = {each.value: each.timestamp for each in playground.records(source)}
    arrived = {each.value: each.timestamp for each in playground.records(sink)}
    return MeasuredTrigger(
        # The first record waits for the query to start.
        latencies=[arrived[value] - sent[value] for value in list(sent)[1:]],
        between_batches=[later - earlier for earlier, later in pairwise(starts)],
        scan=scan,
    )


def scan_in_plan(query: StreamingQuery) -> str:
    """Return what reads the source in a query's plan: a scan in micro-batches or another one."""
    with redirect_stdout(io.StringIO()) as plan:
        query.explain()
    return str(re.findall(r"(\w+Scan)\[", plan.getvalue())[0])


def batch_starts(query: StreamingQuery) -> list[int]:
    """Return when each batch that had records and has ended began, in milliseconds since 1970."""
    return [
        to_epoch_ms(datetime.fromisoformat(progress["timestamp"]))
        for progress in query.recentProgress
        if progress["numInputRows"]
    ]


def wait_for(consumer: KafkaConsumer, number: int) -> None:
    """Return when the record of that number has come."""
    wanted = str(number).encode()

    def has_come() -> bool:
        batches = consumer.poll(timeout_ms=1_000)
        return any(each.value == wanted for records in batches.values() for each in records)

    poll_until(has_come, f"record {number}", TIMEOUT_S, interval=0.001)
