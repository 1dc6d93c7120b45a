"""`nest repair camera_status` and `nest repair alerts`: delete what can be made again, in order.

A kill in between leaves what the command, run again, deletes as well.
"""

from datetime import UTC, datetime

from kafka import KafkaProducer
from pyspark.sql import SparkSession

from contract.instants import format_instant
from contract.lake import CAMERA_STATUS
from contract.progress import QueryProgress
from contract.queries import ALERTS
from contract.queries import CAMERA_STATUS as STATUS_QUERY
from contract.settings import Settings
from contract.topics import PIPELINE_PROGRESS
from pipeline.origin import delete_checkpoint
from pipeline.storage import Storage
from pipeline.tables import table_uri


def repair_camera_status(spark: SparkSession, settings: Settings) -> None:
    """Delete the table and its query's checkpoint; the next start builds it anew from ``camera``.

    The stream of its changes begins anew with it.
    """
    repair_alerts(spark, settings)
    _forget_query(spark, settings, STATUS_QUERY)
    Storage(spark, table_uri(spark, settings, CAMERA_STATUS)).delete()


def repair_alerts(spark: SparkSession, settings: Settings) -> None:
    """Delete the checkpoint of the alerts; the next start begins with the cameras as they are then.

    The alerts that were sent stay. That start compares the cameras with what these say of them, and
    tells what has become different. What was different only in between is not told.
    """
    _forget_query(spark, settings, ALERTS)


def _forget_query(spark: SparkSession, settings: Settings, query: str) -> None:
    """Delete a query's checkpoint, and first its claim of what it has done."""
    now = format_instant(datetime.now(UTC))
    key, value = QueryProgress(query, "stopped", now).encode()
    producer = KafkaProducer(bootstrap_servers=settings.bootstrap_servers.split(","), acks="all")
    try:
        producer.send(PIPELINE_PROGRESS.name, key=key, value=value).get(timeout=30)
    finally:
        producer.close()
    delete_checkpoint(spark, settings, query)
