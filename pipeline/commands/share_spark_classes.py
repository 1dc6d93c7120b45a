"""Write the archive of Spark's classes that each later start of Spark uses."""

import os
import tempfile
from pathlib import Path

from delta.tables import DeltaTable
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from contract.class_sharing import new_class_archive, options_to_write_archive
from contract.java import QUICK_COMPILER_OPTIONS, quoted
from contract.settings import Settings
from pipeline.spark.class_sharing import class_archive_file
from pipeline.spark.java_classes import java_class
from pipeline.spark.jvm import current_jvm
from pipeline.spark.session import build_session


def share_spark_classes(settings: Settings) -> Path:
    """Start Spark, let it do what the pipeline does, and write the archive of its classes.

    It takes up to a minute, in a process that runs no other Spark; nothing where the archive is
    there. Raises UserError when Spark does not start, or Java writes no archive.
    """
    file = class_archive_file(settings)
    if file.exists():
        return file
    with new_class_archive(file) as part:
        options = (*options_to_write_archive(part), *QUICK_COMPILER_OPTIONS)
        os.environ["SPARK_SUBMIT_OPTS"] = " ".join(map(quoted, options))
        quiet = settings.model_copy(update={"spark_ui_port": 0})
        spark = build_session(quiet, "class-sharing")
        with tempfile.TemporaryDirectory() as folder:
            _use_what_the_pipeline_uses(spark, folder)
            spark.stop()
        if jvm := current_jvm():
            jvm.end()
    return file


def _use_what_the_pipeline_uses(spark: SparkSession, folder: str) -> None:
    source, target = f"{folder}/source", f"{folder}/target"
    rows = spark.range(100).select("id", F.timestamp_seconds("id").alias("moment"))
    rows.write.format("delta").save(source)
    rows.limit(0).write.format("delta").save(target)
    for kafka_class in ("clients.consumer.KafkaConsumer", "clients.producer.KafkaProducer"):
        java_class(spark, "java.lang.Class").forName(f"org.apache.kafka.{kafka_class}")

    def merge(batch: DataFrame, batch_id: int) -> None:
        table = DeltaTable.forPath(batch.sparkSession, target).alias("old")
        merging = table.merge(batch.alias("new"), "old.id = new.id")
        merging.whenMatchedUpdateAll().whenNotMatchedInsertAll().execute()

    query = (
        spark.readStream.format("delta")
        .load(source)
        .withWatermark("moment", "1 hour")
        .dropDuplicatesWithinWatermark(["id"])
        .mapInArrow(lambda batches: batches, "id long, moment timestamp")
        .writeStream.foreachBatch(merge)
        .option("checkpointLocation", f"{folder}/checkpoint")
        .trigger(availableNow=True)
        .start()
    )
    query.awaitTermination()
    spark.read.format("delta").load(target).groupBy(F.window("moment", "1 hour")).count().collect()
