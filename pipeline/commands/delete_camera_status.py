"""Delete the camera states, the alerts and their checkpoints, in an order that a kill cannot harm.

A kill in between leaves what the command, run again, deletes as well.
"""

from pyspark.sql import SparkSession

from contract.kafka.record_deletion import delete_all_records
from contract.kafka.rights import require_rights
from contract.lake import CAMERA_STATUS
from contract.queries import Query
from contract.settings import Settings
from contract.topics import CAMERA_ALERTS
from pipeline.checkpoints.checkpoint import Checkpoint
from pipeline.checkpoints.checkpoint_deletion import delete_progress_and_checkpoint
from pipeline.lake.tables import table_uri
from pipeline.spark.storage import Storage


def delete_camera_status(spark: SparkSession, settings: Settings) -> None:
    """Delete the table and its query's checkpoint; the next start builds it anew from ``camera``.

    The stream of its changes begins anew with it.
    """
    delete_alert_checkpoint(spark, settings)
    delete_progress_and_checkpoint(Checkpoint(spark, settings, Query.CAMERA_STATUS))
    Storage(spark, table_uri(spark, settings, CAMERA_STATUS)).delete()


def delete_alert_checkpoint(spark: SparkSession, settings: Settings) -> None:
    """Delete the checkpoint of the alerts; the alerts that were sent stay.

    The next start compares each camera with its last alert, and sends an alert where the state
    differs. A change that was undone in between gets none.
    """
    delete_progress_and_checkpoint(Checkpoint(spark, settings, Query.ALERTS))


def delete_alerts(spark: SparkSession, settings: Settings) -> None:
    """Delete the alerts that were sent, and the checkpoint of their query; safe to repeat."""
    require_rights(settings.kafka, {CAMERA_ALERTS.name: ("Delete",)})
    delete_alert_checkpoint(spark, settings)
    delete_all_records(settings.kafka, CAMERA_ALERTS)
