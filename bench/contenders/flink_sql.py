"""The contender ``flink``: the same job in Flink SQL, in one JVM, with exactly-once checkpoints.

One parse feeds both results. Parquet files become visible with the checkpoint that covers them, so
a kill loses no row and doubles none. Counts are absolute and sent at least once, as this project's
are. There is no Delta sink for this Flink, and no quarantine: the first bad message stops it.
"""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from uuid import uuid4

import pyarrow as pa
from confluent_kafka import Consumer
from py4j.java_gateway import GatewayParameters, JavaGateway, launch_gateway
from py4j.protocol import Py4JJavaError

from bench.contenders.camera_writer import camera_columns
from bench.contenders.kafka_reader import partitions_of_nest_logs
from bench.contenders.registry import Job
from check.locations import read_locations
from contract.java import java_command
from contract.lake import CAMERA
from contract.polling import poll_until
from contract.settings import Settings
from contract.stats import UNPLACED
from contract.topics import CAMERA_STATS, NEST_LOGS

_CHECKPOINT_EVERY = "5 s"
_WITHIN_S = 1800.0
_OPENED = (
    "java.lang",
    "java.lang.reflect",
    "java.net",
    "java.nio",
    "java.text",
    "java.time",
    "java.util",
    "java.util.concurrent",
)
"""The packages of Java that Flink's own start script opens to its serializers."""


@contextmanager
def flink_sql(settings: Settings) -> Iterator[Job]:
    """Start the JVM; each job is a Flink cluster in it, with a slot for each core."""
    port, token = launch_gateway(
        java_path=java_command(),
        classpath=":".join([f"{settings.state.resolve()}/jars/flink/*", *_jars_of_pyspark()]),
        javaopts=[
            f"-Xmx{settings.spark_memory}",
            *(f"--add-opens=java.base/{package}=ALL-UNNAMED" for package in _OPENED),
        ],
        die_on_exit=True,
        enable_auth=True,
    )
    parameters = GatewayParameters(port=port, auth_token=token, auto_convert=True)
    gateway = JavaGateway(gateway_parameters=parameters)
    try:
        yield lambda settings: _archive_and_count(gateway.jvm, settings)
    finally:
        gateway.shutdown()


def _archive_and_count(jvm: Any, settings: Settings) -> None:
    checkpoints = Path(settings.checkpoints, "flink").resolve()
    checkpoints.mkdir(parents=True, exist_ok=True)
    restored = _newest_checkpoint(checkpoints)
    configuration = _configuration(checkpoints, restored)
    table = jvm.org.apache.flink.table.api
    environment = table.TableEnvironment.create(
        table.EnvironmentSettings.newInstance()
        .inStreamingMode()
        .withConfiguration(jvm.org.apache.flink.configuration.Configuration.fromMap(configuration))
        .build()
    )
    try:
        group = f"flink-{uuid4()}"
        for statement in _tables(settings, checkpoints, group):
            environment.executeSql(statement)
        result = environment.executeSql(_inserts())
        if restored:
            _end_at_the_end(jvm, result.getJobClient().get(), settings, group)
        getattr(result, "await")()
    except Py4JJavaError as error:
        raise RuntimeError(str(error)) from None  # its text comes from the JVM, while it is there


def _end_at_the_end(jvm: Any, job: Any, settings: Settings, group: str) -> None:
    """Stop a restored job when a checkpoint holds all of the topic.

    It does not end by itself, as a restored Kafka source with an end waits for ever (FLINK-31006).
    """
    consumer = Consumer({"bootstrap.servers": settings.bootstrap_servers, "group.id": group})
    partitions = partitions_of_nest_logs(consumer)
    ends = [consumer.get_watermark_offsets(each, timeout=10)[1] for each in partitions]
    outcome = job.getJobExecutionResult()
    poll_until(
        lambda: (
            outcome.isDone()
            or [each.offset for each in consumer.committed(partitions, timeout=10)] == ends
        ),
        "a checkpoint of the whole topic",
        _WITHIN_S,
    )
    consumer.close()
    if not outcome.isDone():
        format_type = jvm.org.apache.flink.core.execution.SavepointFormatType.CANONICAL
        savepoints = Path(settings.checkpoints, "flink-savepoints").resolve().as_uri()
        job.stopWithSavepoint(True, savepoints, format_type).get()


def _newest_checkpoint(checkpoints: Path) -> Path | None:
    complete = list(checkpoints.glob("*/chk-*/_metadata"))
    return max(complete, key=lambda path: path.stat().st_mtime_ns).parent if complete else None


def _configuration(checkpoints: Path, restored: Path | None) -> dict[str, str]:
    """Return Flink's settings, with the checkpoint that is restored, if there is one."""
    configuration = {
        "pipeline.object-reuse": "true",
        "table.local-time-zone": "UTC",
        "table.exec.mini-batch.enabled": "true",
        "table.exec.mini-batch.allow-latency": "1 s",
        "table.exec.mini-batch.size": "5000",
        "execution.checkpointing.interval": _CHECKPOINT_EVERY,
        "execution.checkpointing.mode": "EXACTLY_ONCE",
        "execution.checkpointing.dir": checkpoints.as_uri(),
        "execution.checkpointing.externalized-checkpoint-retention": "RETAIN_ON_CANCELLATION",
        "restart-strategy.type": "none",  # a failure is an error of the contender
    }
    if restored:
        configuration["execution.state-recovery.path"] = restored.as_uri()
    return configuration


def _tables(settings: Settings, folder: Path, group: str) -> Iterator[str]:
    """Yield the statements that create the source, the locations, the sinks and the cameras."""
    fields = list(camera_columns())[:-3]
    columns = ", ".join(f"`{field.name}` {_sql_type(field.type)}" for field in camera_columns())
    kafka = f"""
        'topic' = '%s', 'properties.bootstrap.servers' = '{settings.bootstrap_servers}'"""
    yield f"""
        CREATE TABLE nest_logs (
            devices ROW<cameras MAP<STRING, {_sql_type(pa.struct(fields))}>>,
            `partition` INT METADATA VIRTUAL,
            `offset` BIGINT METADATA VIRTUAL,
            `timestamp` TIMESTAMP_LTZ(3) METADATA VIRTUAL
        ) WITH (
            'connector' = 'kafka', {kafka % NEST_LOGS.name}, 'properties.group.id' = '{group}',
            'scan.startup.mode' = 'earliest-offset', 'scan.bounded.mode' = 'latest-offset',
            'format' = 'json', 'json.timestamp-format.standard' = 'ISO-8601'
        )"""
    yield f"""
        CREATE TABLE location (device_id STRING, zip_code STRING) WITH (
            'connector' = 'filesystem', 'format' = 'json',
            'path' = '{_write_locations(settings, folder).as_uri()}'
        )"""
    yield f"""
        CREATE TABLE camera ({columns}) WITH (
            'connector' = 'filesystem', 'format' = 'parquet', 'parquet.compression' = 'SNAPPY',
            'path' = '{Path(settings.lake, CAMERA).resolve().as_uri()}'
        )"""
    yield f"""
        CREATE TABLE nest_camera_stats (
            `key` STRING, `count` STRING, PRIMARY KEY (`key`) NOT ENFORCED
        ) WITH (
            'connector' = 'upsert-kafka', {kafka % CAMERA_STATS.name},
            'key.format' = 'raw', 'value.format' = 'raw', 'value.fields-include' = 'EXCEPT_KEY'
        )"""
    yield """
        CREATE TEMPORARY VIEW parsed AS
        SELECT camera, `partition`, `offset`, `timestamp`
        FROM (SELECT devices.cameras AS cameras, `partition`, `offset`, `timestamp` FROM nest_logs)
        CROSS JOIN UNNEST(cameras) AS camera_of (`key`, camera)"""
    yield f"""
        CREATE TEMPORARY VIEW sighting AS
        SELECT DISTINCT device_id, start_time FROM (
            SELECT camera.device_id AS device_id, camera.last_event.start_time AS start_time,
                camera.last_event.has_person AS has_person, `timestamp` FROM parsed)
        WHERE has_person AND `timestamp` BETWEEN
            start_time - {_interval(settings.clock_skew)}
            AND start_time + {_interval(settings.lateness)}"""  # noqa: S608 - durations
    yield f"""
        CREATE TEMPORARY VIEW placed AS
        SELECT '{{"zip_code":' || JSON_STRING(COALESCE(NULLIF(zip_code, ''), '{UNPLACED}'))
            || ',"window":{{"start":"' || {_hour("start_time")} || '","end":"'
            || {_hour("start_time + INTERVAL '1' HOUR")} || '"}}}}' AS `key`
        FROM sighting
        LEFT JOIN location ON sighting.device_id = location.device_id"""  # noqa: S608 - constants


def _inserts() -> str:
    """Return the statement that runs both queries as one job, so that they share the parse."""
    fields = list(camera_columns())[:-3]
    values = ", ".join(_redacted(f"camera.`{field.name}`", field.type) for field in fields)
    return f"""
        EXECUTE STATEMENT SET BEGIN
            INSERT INTO camera SELECT {values}, `partition`, `offset`, `timestamp` FROM parsed;
            INSERT INTO nest_camera_stats
                SELECT `key`, CAST(COUNT(*) AS STRING) FROM placed GROUP BY `key`;
        END"""  # noqa: S608 - only the schema's own names


def _write_locations(settings: Settings, folder: Path) -> Path:
    """Write the locations as Flink's own formats can read them, without a header."""
    path = folder / "device_locations.json"
    lines = (
        json.dumps({"device_id": device_id, "zip_code": zip_code})
        for device_id, zip_code in read_locations(settings.device_locations)
    )
    path.write_text("\n".join(lines))
    return path


def _jars_of_pyspark() -> list[str]:
    """Return the jars of py4j's gateway, and of Hadoop, which Flink's Parquet asks for."""
    spec = find_spec("pyspark")
    if spec is None or spec.origin is None:
        raise AssertionError("pyspark is a package of this project")
    jars = Path(spec.origin).parent / "jars"
    return [
        str(jar)
        for name in ("py4j-*", "hadoop-client-*", "jcl-over-slf4j-*")
        for jar in sorted(jars.glob(f"{name}.jar"))
    ]


def _sql_type(arrow: pa.DataType) -> str:
    if pa.types.is_struct(arrow):
        return f"ROW<{', '.join(f'`{each.name}` {_sql_type(each.type)}' for each in arrow)}>"
    if pa.types.is_list(arrow):
        return f"ARRAY<{_sql_type(arrow.value_type)}>"
    names = {pa.bool_(): "BOOLEAN", pa.int32(): "INT", pa.int64(): "BIGINT"}
    return "TIMESTAMP_LTZ(6)" if pa.types.is_timestamp(arrow) else names.get(arrow, "STRING")


def _redacted(column: str, arrow: pa.DataType) -> str:
    """Return a column's expression, which removes from URLs what may be a credential."""
    if pa.types.is_struct(arrow):
        parts = ", ".join(_redacted(f"{column}.`{each.name}`", each.type) for each in arrow)
        return f"CASE WHEN {column} IS NOT NULL THEN CAST(ROW({parts}) AS {_sql_type(arrow)}) END"
    if not column.endswith("_url`"):
        return column
    cut = f"REGEXP_REPLACE({column}, '(?s)[?#].*$', '')"
    return f"""CASE WHEN POSITION('@' IN {column}) > 0
        THEN REGEXP_REPLACE({cut}, '^([^/]*//)?[^/]*@', '$1') ELSE {cut} END"""


def _hour(column: str) -> str:
    return f"DATE_FORMAT({column}, 'yyyy-MM-dd''T''HH:00:00.000''Z''')"


def _interval(duration: timedelta) -> str:
    return f"INTERVAL '{duration.days} {timedelta(seconds=duration.seconds)}' DAY TO SECOND"
