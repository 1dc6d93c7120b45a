"""What an example works with: Spark, Kafka, messages, a folder of its own, and a console."""

import os
import signal
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from delta.tables import DeltaTable
from kafka import KafkaProducer
from kafka.admin import NewTopic
from kafka.consumer.fetcher import ConsumerRecord
from pyspark.sql import DataFrame, DataFrameReader, Row, SparkSession
from pyspark.sql.streaming.query import StreamingQuery
from pyspark.sql.streaming.readwriter import DataStreamReader, DataStreamWriter
from rich.console import Console
from rich.table import Table
from rich.text import Text

from contract import lake
from contract.instants import to_epoch_ms
from contract.kafka.bounded_read import records_in_topic
from contract.kafka.connections import open_admin, open_consumer
from contract.settings import Settings, load_settings
from contract.topic_admin import create_topics
from contract.topics import Topic
from examples.error_text import in_one_line
from producer.device_locations import write_device_locations
from producer.world.homes import build_home
from producer.world.messages import generate
from producer.world.timeline import Timeline

SEED, HOMES = 1, 20
START = datetime(2026, 3, 4, 15, tzinfo=UTC)
"""The first moment of the messages: seven in the morning in California."""
TIMEOUT_S = 300
FEW_VACUUM_TASKS = ("spark.sql.sources.parallelPartitionDiscovery.parallelism", "2")
"""By default VACUUM lists a table's folder in 10,000 tasks, which suits a cluster."""


class Record(NamedTuple):
    """A record to send; ``timestamp`` in milliseconds since 1970, by default now."""

    value: bytes | None
    key: bytes | None = None
    timestamp: int | None = None
    partition: int | None = None
    """By default the one that Kafka's clients choose for the key."""
    headers: tuple[tuple[str, bytes], ...] = ()


@dataclass
class Playground:
    """One example's own corner of Kafka, Spark and the disk; nothing outside of it is touched.

    ``start_kafka`` returns the address of a broker and is called once, when an example first needs
    it. ``suffix`` ends the names of topics and databases, where several examples share a broker.
    ``kafka_pid`` returns the id of its process, by which it can be paused.
    """

    spark: SparkSession
    folder: Path
    console: Console
    start_kafka: Callable[[], str]
    suffix: str = ""
    kafka_pid: Callable[[], int] | None = None
    _topics: list[str] = field(default_factory=list)
    _databases: list[str] = field(default_factory=list)

    @cached_property
    def bootstrap_servers(self) -> str:
        """The address of Kafka, which starts now if nobody has asked before."""
        return self.start_kafka()

    @cached_property
    def settings(self) -> Settings:
        """The project's settings with this broker, and lake and checkpoints in the folder.

        Its device_locations are those of ``messages``.
        """
        locations = self.folder / "device_locations.csv"
        write_device_locations(locations, SEED, HOMES)
        update = {
            "bootstrap_servers": self.bootstrap_servers,
            "lake": str(self.folder / "lake"),
            "checkpoints": str(self.folder / "checkpoints"),
            "device_locations": str(locations),
        }
        return load_settings().model_copy(update=update)

    # ---- Kafka ----

    def topic(
        self,
        name: str,
        partitions: int = 1,
        config: Mapping[str, str] | None = None,
        replicas: int = 1,
    ) -> str:
        """Create an empty topic and return its name, which no other example has."""
        name += self.suffix
        # The messages are of the past: after a week, Kafka's default, they would be deleted.
        settings = {"retention.ms": "-1", **(config or {})}
        new = NewTopic(name, partitions, replicas, topic_configs=settings)
        with open_admin(self.bootstrap_servers) as admin:
            admin.create_topics([new], wait_for_metadata=True)
        self._topics.append(name)
        return name

    def demo_topic(self, topic: Topic) -> str:
        """Create one of the demo's topics, if it is missing, under its own name.

        The project's own source and queries read nothing else.
        """
        with open_admin(self.bootstrap_servers) as admin:
            create_topics(admin, (topic,))
        return topic.name

    def messages(self, count: int, seed: int = SEED) -> list[Record]:
        """Return the first messages of a small simulated world, always the same ones."""
        homes = [build_home(seed, number) for number in range(HOMES)]
        world = generate(homes, Timeline(seed, to_epoch_ms(START)))
        return [Record(each.value, each.key, each.timestamp) for each in islice(world, count)]

    def send(self, topic: str, records: Iterable[Record]) -> None:
        """Send records and wait until Kafka has all of them."""
        producer = KafkaProducer(bootstrap_servers=self.bootstrap_servers.split(","), acks="all")
        with closing(producer):
            sent = [
                producer.send(
                    topic, each.value, each.key, list(each.headers), each.partition, each.timestamp
                )
                for each in records
            ]
            for future in sent:
                future.get(timeout=TIMEOUT_S)

    def records(self, topic: str) -> list[ConsumerRecord]:
        """Return what is in a topic now, by partition, and within it by offset.

        A consumer gets the partitions in whatever order their brokers answer.
        """
        with open_consumer(self.bootstrap_servers) as consumer:
            return sorted(
                records_in_topic(consumer, topic), key=lambda each: (each.partition, each.offset)
            )

    @contextmanager
    def kafka_paused(self) -> Iterator[None]:
        """Let Kafka stand still until the block ends; what it is sent waits in its connections."""
        if not self.bootstrap_servers or not self.kafka_pid:
            raise ValueError("this Kafka is no single process that could be paused")
        pid = self.kafka_pid()
        os.kill(pid, signal.SIGSTOP)
        try:
            yield
        finally:
            os.kill(pid, signal.SIGCONT)

    # ---- the folder ----

    def table(self, name: str) -> str:
        """Return the path of a table in this example's lake; nothing is created."""
        return lake.table_location(str(self.folder / "lake"), name)

    def checkpoint(self, name: str) -> str:
        """Return the path of a query's checkpoint; nothing is created."""
        return str(self.folder / "checkpoints" / name)

    def database(self, name: str) -> str:
        """Create a database of the catalog whose tables lie in the folder, and return its name."""
        name += self.suffix.replace("-", "_")
        location = (self.folder / "databases" / name).as_uri()
        self.spark.sql(f"CREATE DATABASE {name} LOCATION '{location}'")
        self._databases.append(name)
        return name

    # ---- Spark ----

    def read_stream(self) -> DataStreamReader:
        """Return a reader of this Kafka as a stream; what it reads is the example's to say."""
        reader = self.spark.readStream.format("kafka")
        return reader.option("kafka.bootstrap.servers", self.bootstrap_servers)

    def read_batch(self) -> DataFrameReader:
        """Return a reader of this Kafka as a batch: by default all that there is now."""
        reader = self.spark.read.format("kafka")
        return reader.option("kafka.bootstrap.servers", self.bootstrap_servers)

    def to_kafka(self, writer: DataStreamWriter, checkpoint: str) -> DataStreamWriter:
        """Return the writer with this Kafka as its sink; the topic is the example's to say."""
        return (
            writer.format("kafka")
            .option("kafka.bootstrap.servers", self.bootstrap_servers)
            .option("checkpointLocation", self.checkpoint(checkpoint))
        )

    def run_to_end(self, writer: DataStreamWriter) -> StreamingQuery:
        """Run a stream over everything that its source has now and return the ended query.

        Raises what the query failed with, and TimeoutError if it does not end.
        """
        return self.run_all_to_end([writer])[0]

    def run_all_to_end(self, writers: Iterable[DataStreamWriter]) -> list[StreamingQuery]:
        """Run several streams to their end at the same time, otherwise as ``run_to_end``."""
        queries = []
        try:
            for writer in writers:
                queries.append(writer.trigger(availableNow=True).start())
            for query in queries:
                if not query.awaitTermination(TIMEOUT_S):
                    raise TimeoutError(f"the stream did not end within {TIMEOUT_S} s")
        finally:
            for query in queries:
                query.stop()
        return queries

    def rows_of(self, stream: DataFrame, checkpoint: str) -> list[Row]:
        """Run a stream to the end and return the rows that it gave in this run.

        With the ``checkpoint`` (a name) of an earlier run it goes on after that run's last row.
        """
        rows: list[Row] = []
        self.run_to_end(
            stream.writeStream.foreachBatch(lambda batch, _: rows.extend(batch.collect())).option(
                "checkpointLocation", self.checkpoint(checkpoint)
            )
        )
        return rows

    def count_rows(self, table: str) -> int:
        """Return the number of rows of a table of the lake; 0 if nothing was written yet."""
        path = self.table(table)
        if not DeltaTable.isDeltaTable(self.spark, path):
            return 0
        return self.spark.read.format("delta").load(path).count()

    @contextmanager
    def running(self, writer: DataStreamWriter) -> Iterator[StreamingQuery]:
        """Run a stream, with the trigger that it has, until the block ends."""
        query = writer.start()
        try:
            yield query
        finally:
            query.stop()

    @contextmanager
    def conf(self, name: str, value: str) -> Iterator[None]:
        """Set one of the session's configurations until the block ends."""
        before = self.spark.conf.get(name, None)
        self.spark.conf.set(name, value)
        try:
            yield
        finally:
            if before is None:
                self.spark.conf.unset(name)
            else:
                self.spark.conf.set(name, before)

    @staticmethod
    def refusal(action: Callable[[], object]) -> str:
        """Do what must fail, and return why in one line; AssertionError if it does not fail."""
        try:
            action()
        except Exception as error:
            return in_one_line(error)
        raise AssertionError("this should have been refused")

    # ---- the console ----

    def say(self, text: str) -> None:
        """Print a line or paragraph for the learner."""
        self.console.print(Text(text))

    def show(
        self,
        title: str,
        rows: DataFrame | Iterable[Row | Mapping[str, Any]],
        unbroken: str | None = None,
    ) -> None:
        """Print rows as a table; all have the same columns.

        In the column ``unbroken`` no text goes on in a second line, so that it can be copied.
        """
        found = rows.collect() if isinstance(rows, DataFrame) else list(rows)
        dicts = [row.asDict() if isinstance(row, Row) else dict(row) for row in found]
        table = Table(title=title, title_justify="left", title_style="bold")
        for column in dicts[0] if dicts else ["(no rows)"]:
            table.add_column(column.replace("_", " "), overflow="fold", no_wrap=column == unbroken)
        for row in dicts:
            table.add_row(*(Text(_as_text(value)) for value in row.values()))
        self.console.print(table)

    # ---- the end ----

    def close(self) -> None:
        """Remove the databases and topics; the folder is its owner's to remove."""
        for name in self._databases:
            self.spark.sql(f"DROP DATABASE IF EXISTS {name} CASCADE")
        if self._topics:
            with open_admin(self.bootstrap_servers) as admin:
                admin.delete_topics(sorted(set(self._topics) & set(admin.list_topics())))


def _as_text(value: object) -> str:
    if isinstance(value, bytes | bytearray):
        return value.decode(errors="replace")
    if isinstance(value, datetime):
        return value.isoformat(sep=" ", timespec="milliseconds")
    if isinstance(value, float):
        return f"{value:,.1f}"
    return "" if value is None else str(value)
