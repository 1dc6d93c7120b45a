"""The Spark session with everything that the queries rely on."""

import os
from pathlib import Path
from typing import Any

from pyspark import SparkConf, SparkContext
from pyspark.sql import SparkSession

from contract.java import require_java
from contract.object_store import is_on_object_store
from contract.settings import Settings
from pipeline.spark.cluster_master import require_spark_master
from pipeline.spark.java_classes import java_class
from pipeline.spark.jvm import explained_failures, start_context
from pipeline.spark.local_master import MALLOC_ARENA_MAX, local_master_conf, require_jars
from pipeline.spark.task_slots import with_slots_for_real_time

_POOLS = Path(__file__).parent / "scheduler.xml"

_CONF = {
    "spark.scheduler.mode": "FAIR",
    "spark.scheduler.allocation.file": _POOLS.as_uri(),
    # Spark compiles code for each stage and keeps that of so many. The queries together have more
    # than the default of 100: then all of it would be compiled again in every batch.
    "spark.sql.codegen.cache.maxEntries": "2000",
    # Delta Lake
    "spark.sql.extensions": "io.delta.sql.DeltaSparkSessionExtension",
    "spark.sql.catalog.spark_catalog": "org.apache.spark.sql.delta.catalog.DeltaCatalog",
    # A snapshot's state is small; the default of 50 tasks makes every commit slow.
    "spark.databricks.delta.snapshotPartitions": "1",
    # An interrupted batch of alerts reads camera_status as it was, however long ago that is.
    "spark.databricks.delta.vacuum.enforceTimeTravelWithinDeletedFileRetentionDuration": "false",
    # Building dictionaries takes a quarter of the time of writing and makes the files no smaller:
    # the archive's values hardly repeat (times, URLs) or compress well anyway. Files with Zstandard
    # are half the size of files with Snappy.
    "spark.hadoop.parquet.enable.dictionary": "false",
    "spark.sql.parquet.compression.codec": "zstd",
    "spark.hadoop.parquet.compression.codec.zstd.level": "1",
    # The older INT96 loses the years 1 and 9999 in most readers.
    "spark.sql.parquet.outputTimestampType": "TIMESTAMP_MICROS",
    # Every instant is UTC, whatever the time zone of the machine.
    "spark.sql.session.timeZone": "UTC",
    # Of a name that an object has twice the last value counts, as for Python's parser.
    "spark.sql.variant.allowDuplicateKeys": "true",
    # A batch without data would only free state, and the next batch with data does that as well.
    "spark.sql.streaming.noDataMicroBatches.enabled": "false",
    # How many batches back a query can be restarted by hand; more would only be more files.
    "spark.sql.streaming.minBatchesToRetain": "20",
    # After a batch RocksDB writes what changed and not the whole state; its memory is bounded.
    "spark.sql.streaming.stateStore.rocksdb.changelogCheckpointing.enabled": "true",
    "spark.sql.streaming.stateStore.rocksdb.boundedMemoryUsage": "true",
    "spark.sql.streaming.stateStore.rocksdb.maxMemoryUsageMB": "256",
    "spark.executorEnv.MALLOC_ARENA_MAX": MALLOC_ARENA_MAX,
    # Documents are large: fewer in an Arrow batch keep the Python workers small.
    "spark.sql.execution.arrow.maxRecordsPerBatch": "2048",
    # Messages may have up to a megabyte each: then a batch holds fewer of them.
    "spark.sql.execution.arrow.maxBytesPerBatch": str(32 << 20),
    # The options of Kafka's clients hold a password: plans and the UI show none of these.
    "spark.sql.redaction.options.regex": "(?i)url|password|secret|jaas|token|truststore|keystore",
    "spark.redaction.regex": "(?i)secret|password|passphrase|token|access[.]?key|jaas",
    # Nobody who opens the UI can stop a query.
    "spark.ui.killEnabled": "false",
    # Bounded memory for an application that runs for months.
    "spark.ui.retainedJobs": "100",
    "spark.ui.retainedStages": "100",
    "spark.ui.retainedTasks": "1000",
    "spark.sql.ui.retainedExecutions": "50",
    "spark.sql.streaming.ui.retainedQueries": "10",
    "spark.sql.streaming.ui.retainedProgressUpdates": "50",
    "spark.sql.streaming.numRecentProgressUpdates": "10",
    "spark.cleaner.periodicGC.interval": "5min",
    "spark.ui.showConsoleProgress": "false",
}

_CHECKPOINTS_ON_OBJECT_STORE = {
    # A file appears whole when it is closed; the default renames it, which there is a copy.
    "spark.sql.streaming.checkpointFileManagerClass": (
        "org.apache.spark.internal.io.cloud.AbortableStreamBasedCheckpointFileManager"
    ),
}


def build_session(
    settings: Settings,
    name: str = "nest-camera-analytics",
    *,
    live: bool = False,
    is_short: bool = False,
) -> SparkSession:
    """Return the session, starting a JVM if none runs yet.

    With a local master the connector jars come from ``settings.spark_jars``, and those of an object
    store from ``settings.s3a_jars``. A ``live`` one has slots for the tasks of the query sightings,
    too. A live one, and one that ``is_short``, which has work for a minute or two, have Java's
    quick compiler only. Under spark-submit set ``NEST_SPARK_MASTER`` to nothing:
    then spark-submit sets master, memory and jars.

    Raises UserError when Java, its memory or the jars are not there, or Spark does not start.
    """
    conf: dict[str, Any] = {
        "spark.app.name": name,
        **_CONF,
        "spark.sql.shuffle.partitions": str(settings.shuffle_partitions),
        "spark.ui.port": str(settings.spark_ui_port),
    }
    if settings.spark_master:
        widened = with_slots_for_real_time(settings)
        conf["spark.master"] = widened if live else settings.spark_master
        conf["spark.driver.memory"] = settings.spark_memory
    if settings.spark_master.startswith("local"):
        conf |= local_master_conf(settings, has_quick_compiler=live or is_short)
    if settings.object_store:
        conf |= settings.object_store.spark_conf()
    if is_on_object_store(settings.checkpoints):
        conf |= _CHECKPOINTS_ON_OBJECT_STORE
    is_first = SparkContext._gateway is None and "PYSPARK_GATEWAY_PORT" not in os.environ
    with explained_failures():
        if is_first and settings.spark_master:
            _require_installed(settings)
            start_context(SparkConf().setAll(list(conf.items())))
        return SparkSession.builder.config(map=conf).getOrCreate()


def _require_installed(settings: Settings) -> None:
    """Raise UserError unless there is a Java for the driver and, with a local master, the jars."""
    require_java(settings.spark_memory, "NEST_SPARK_MEMORY")
    if settings.spark_master.startswith("local"):
        require_jars(settings)
    if settings.spark_master.startswith("spark://"):
        require_spark_master(settings.spark_master)


def silence_jvm(spark: SparkSession) -> None:
    """Let the JVM print nothing: Delta writes a line to standard output for each VACUUM."""
    nowhere = java_class(spark, "java.io.OutputStream").nullOutputStream()
    stream = java_class(spark, "java.io.PrintStream")(nowhere)
    java_class(spark, "java.lang.System").setOut(stream)
