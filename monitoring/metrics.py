"""The metrics: name, labels, meaning and how each is taken from what was read.

Names follow Prometheus: base units, ``_total`` for what only grows. A time is exported as the
instant itself, in seconds since 1970: ``time() - metric`` is its age also when nothing is read
any more.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, get_args

from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily

from contract.delta_tables import TableSize
from contract.last_check import LastCheck
from contract.progress import QueryProgress, State
from monitoring.health import pipeline_up, queries_up
from monitoring.kafka_readings import KafkaReadings
from monitoring.lake_readings import LakeReadings

Source = Literal["kafka", "lake"]


@dataclass(frozen=True)
class Readings:
    """What is known at the moment of a scrape; None for what cannot be read."""

    now: datetime
    kafka: KafkaReadings | None = None
    lake: LakeReadings | None = None
    check: LastCheck | None = None
    free_bytes: Mapping[str, int] = field(default_factory=dict)
    """Free space of the disks, by what is on them."""
    pending: frozenset[Source] = frozenset()
    """What nobody knows yet, since the first read is under way."""


Sample = tuple[tuple[str, ...], float]
"""The values of the labels, and the value."""


@dataclass(frozen=True)
class Metric:
    """A metric; ``read`` returns its samples, none where nothing is known."""

    name: str
    labels: tuple[str, ...]
    meaning: str
    read: Callable[[Readings], Iterable[Sample]]

    @property
    def kind(self) -> str:
        """Counter or gauge, which the name tells."""
        return "counter" if self.name.endswith("_total") else "gauge"

    @property
    def unit(self) -> str:
        """What is counted or measured."""
        name = self.name.removesuffix("_total")
        if name.endswith("_timestamp_seconds"):
            return "seconds since 1970"
        if name.endswith(("_up", "_holds", "_state", "_version")):
            return ""
        return name.rsplit("_", 1)[-1]

    def family(self, readings: Readings) -> CounterMetricFamily | GaugeMetricFamily:
        """Return the metric as Prometheus' client writes it."""
        kind = CounterMetricFamily if self.kind == "counter" else GaugeMetricFamily
        family = kind(self.name, self.meaning, labels=self.labels)
        for labels, value in self.read(readings):
            family.add_metric(labels, value)
        return family


def _is_up(source: Source) -> Callable[[Readings], Iterator[Sample]]:
    def read(readings: Readings) -> Iterator[Sample]:
        if source not in readings.pending:
            yield (), float(getattr(readings, source) is not None)

    return read


def _of_queries(
    value: Callable[[QueryProgress], float | None],
) -> Callable[[Readings], Iterator[Sample]]:
    """Read one number of each query's newest progress, None where it has no such number."""

    def read(readings: Readings) -> Iterator[Sample]:
        for query, progress in (readings.kafka.progress if readings.kafka else {}).items():
            number = value(progress)
            if number is not None:
                yield (query,), number

    return read


def _of_batches(
    value: Callable[[QueryProgress], float],
) -> Callable[[Readings], Iterator[Sample]]:
    """Read one number of each query's newest batch; none before the first one."""
    return _of_queries(lambda progress: value(progress) if progress.batch_id >= 0 else None)


def _of_tables(
    value: Callable[[TableSize], float | None],
) -> Callable[[Readings], Iterator[Sample]]:
    """Read one number of each table, None where it has no such number."""

    def read(readings: Readings) -> Iterator[Sample]:
        for table, reading in (readings.lake.tables if readings.lake else {}).items():
            number = value(reading)
            if number is not None:
                yield (table,), number

    return read


def _topic_records(readings: Readings) -> Iterator[Sample]:
    for topic, ends in (readings.kafka.end_offsets if readings.kafka else {}).items():
        for partition, end in ends.items():
            yield (topic, str(partition)), end


def _pipeline_up(readings: Readings) -> Iterator[Sample]:
    if readings.kafka:
        yield (), float(pipeline_up(queries_up(readings.kafka, readings.now)))


def _query_up(readings: Readings) -> Iterator[Sample]:
    if readings.kafka:
        for query, is_up in queries_up(readings.kafka, readings.now).items():
            yield (query,), float(is_up)


def _query_states(readings: Readings) -> Iterator[Sample]:
    for query, progress in (readings.kafka.progress if readings.kafka else {}).items():
        for state in get_args(State):
            yield (query, state), float(progress.state == state)


def _query_lag(readings: Readings) -> Iterator[Sample]:
    if readings.kafka:
        for query in readings.kafka.progress:
            for partition, records in readings.kafka.lag(query).items():
                yield (query, str(partition)), records


def _query_records(readings: Readings) -> Iterator[Sample]:
    for query, progress in (readings.kafka.progress if readings.kafka else {}).items():
        for partition, end in progress.end_offsets.items():
            yield (query, str(partition)), end


def _query_table_versions(readings: Readings) -> Iterator[Sample]:
    for query, progress in (readings.kafka.progress if readings.kafka else {}).items():
        if progress.table:
            yield (query, progress.table), progress.end_version


def _reported_at(readings: Readings) -> Iterator[Sample]:
    for query, moment in (readings.kafka.reported_at if readings.kafka else {}).items():
        yield (query,), moment.timestamp()


def _dropped_rows(readings: Readings) -> Iterator[Sample]:
    for query, rows in (readings.kafka.dropped_rows if readings.kafka else {}).items():
        yield (query,), rows


def _newest_counted(readings: Readings) -> Iterator[Sample]:
    if readings.kafka and readings.kafka.newest_counted_at:
        yield (), readings.kafka.newest_counted_at.timestamp()


def _quarantine(readings: Readings) -> Iterator[Sample]:
    for reason, rows in sorted((readings.lake.quarantine if readings.lake else {}).items()):
        yield (reason,), rows


def _check_holds(readings: Readings) -> Iterator[Sample]:
    if readings.check:
        yield (), float(readings.check.verdict.holds)


def _checked_at(readings: Readings) -> Iterator[Sample]:
    if readings.check:
        yield (), readings.check.ended_at.timestamp()


def _free_bytes(readings: Readings) -> Iterator[Sample]:
    for what, free in readings.free_bytes.items():
        yield (what,), free


METRICS = (
    Metric("nest_kafka_up", (), "1 if Kafka answers, else 0", _is_up("kafka")),
    Metric(
        "nest_topic_records_total",
        ("topic", "partition"),
        "records ever written to a topic, which is its end offset",
        _topic_records,
    ),
    Metric(
        "nest_pipeline_up",
        (),
        "1 if the archive or the counts run, 0 if both have stopped or are silent for too long",
        _pipeline_up,
    ),
    Metric(
        "nest_query_up",
        ("query",),
        "1 if a query runs, 0 if it has stopped or is silent for too long",
        _query_up,
    ),
    Metric(
        "nest_query_state",
        ("query", "state"),
        "1 for the state that the query has last reported, 0 for the others",
        _query_states,
    ),
    Metric(
        "nest_query_report_timestamp_seconds",
        ("query",),
        "when the query has last reported its progress",
        _reported_at,
    ),
    Metric(
        "nest_query_restarts_total",
        ("query",),
        "how often the query was started again after it had died or been killed",
        _of_queries(lambda progress: progress.restarts),
    ),
    Metric(
        "nest_query_longest_wait_seconds",
        ("query",),
        "how long the query may wait, by design, before its next batch",
        _of_queries(lambda progress: progress.longest_wait.total_seconds()),
    ),
    Metric(
        "nest_query_lag_records",
        ("query", "partition"),
        "records of nest-logs that the query has not committed yet",
        _query_lag,
    ),
    Metric(
        "nest_query_records_total",
        ("query", "partition"),
        "records of nest-logs that the query has committed, which is its offset",
        _query_records,
    ),
    Metric(
        "nest_query_table_version",
        ("query", "table"),
        "version of its table up to which the query has committed; -1 before the first one",
        _query_table_versions,
    ),
    Metric(
        "nest_query_backlog_files",
        ("query",),
        "files of its table that the query had not read when its newest batch ended",
        _of_queries(lambda progress: progress.files_outstanding if progress.table else None),
    ),
    Metric(
        "nest_query_backlog_bytes",
        ("query",),
        "bytes of these files",
        _of_queries(lambda progress: progress.bytes_outstanding if progress.table else None),
    ),
    Metric(
        "nest_query_batch_duration_seconds",
        ("query",),
        "how long the newest batch took",
        _of_batches(lambda progress: progress.batch_duration_ms / 1000),
    ),
    Metric(
        "nest_query_batch_records",
        ("query",),
        "records, or rows of its table, that the newest batch took in",
        _of_batches(lambda progress: progress.input_rows),
    ),
    Metric(
        "nest_query_state_rows",
        ("query",),
        "rows that the query holds in its state",
        _of_batches(lambda progress: progress.state_rows),
    ),
    Metric(
        "nest_query_watermark_dropped_rows_total",
        ("query",),
        "rows that the watermark dropped while `nest metrics` looked on; harmless repetitions, too",
        _dropped_rows,
    ),
    Metric(
        "nest_newest_counted_record_timestamp_seconds",
        (),
        "timestamp of the newest message in the counts; its age is the freshness of the counts",
        _newest_counted,
    ),
    Metric("nest_lake_up", (), "1 if the tables can be read, else 0", _is_up("lake")),
    Metric(
        "nest_table_files",
        ("table",),
        "files of the newest version",
        _of_tables(lambda table: table.files),
    ),
    Metric(
        "nest_table_bytes",
        ("table",),
        "bytes of these files",
        _of_tables(lambda table: table.total_bytes),
    ),
    Metric(
        "nest_table_rows",
        ("table",),
        "rows of the newest version",
        _of_tables(lambda table: table.rows),
    ),
    Metric(
        "nest_table_version",
        ("table",),
        "the newest version",
        _of_tables(lambda table: table.version),
    ),
    Metric(
        "nest_quarantine_rows",
        ("reason",),
        "rows of the quarantine: one for each record and reason",
        _quarantine,
    ),
    Metric(
        "nest_check_holds",
        (),
        "1 if the last `nest check` held, 0 if not; missing if none was run",
        _check_holds,
    ),
    Metric(
        "nest_check_timestamp_seconds",
        (),
        "when the last `nest check` ended",
        _checked_at,
    ),
    Metric(
        "nest_disk_free_bytes",
        ("folder",),
        "free space of the disk that the lake, or the state with Kafka's log, is on",
        _free_bytes,
    ),
)
