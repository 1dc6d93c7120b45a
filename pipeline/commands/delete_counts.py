"""Delete counts and sightings so that they are made anew, in an order that a kill cannot harm."""

from pyspark.sql import SparkSession

from contract.checkpoint_sidecars import CheckpointSidecar
from contract.counts import read_counts
from contract.errors import UserError
from contract.kafka.record_deletion import delete_all_records
from contract.kafka.refusals import Refused
from contract.kafka.rights import require_rights
from contract.kafka.sending import send_records
from contract.queries import Query
from contract.settings import Settings
from contract.stats import encode_key
from contract.topics import CAMERA_STATS, SIGHTINGS
from pipeline.checkpoints.checkpoint import Checkpoint
from pipeline.checkpoints.checkpoint_deletion import delete_progress_and_checkpoint
from pipeline.spark.storage import Storage


def delete_counts(spark: SparkSession, settings: Settings) -> None:
    """Delete counts, sightings and the checkpoints of their queries; safe to repeat.

    Both rest on the same rules and device locations. Every key in nest-camera-stats gets a
    tombstone: a zip code that has no count after the rebuild would otherwise keep its old one. A
    marker lets the next start finish what was cut off.
    """
    _require_right_to_delete(settings)
    marker = _marker(spark, settings)
    marker.write_text("The counts are being deleted.")
    tombstones = [(encode_key(key), None) for key in read_counts(settings.kafka).by_key]
    send_records(settings.kafka, CAMERA_STATS.name, tombstones)
    delete_progress_and_checkpoint(Checkpoint(spark, settings, Query.STATS))
    delete_sightings(spark, settings)
    marker.delete()


def delete_sightings(spark: SparkSession, settings: Settings) -> None:
    """Delete the records of nest-sightings and the checkpoint of their query; safe to repeat."""
    _require_right_to_delete(settings)
    delete_progress_and_checkpoint(Checkpoint(spark, settings, Query.SIGHTINGS))
    delete_all_records(settings.kafka, SIGHTINGS)


def _require_right_to_delete(settings: Settings) -> None:
    """Raise UserError, before anything is changed, if this Kafka user may not delete sightings."""
    require_rights(settings.kafka, {SIGHTINGS.name: ("Delete",)})


def finish_deleting_counts(spark: SparkSession, settings: Settings) -> None:
    """Finish the deletion of the counts if a kill cut it off.

    Raises UserError where only the operator may: the Kafka user of the pipeline deletes nothing.
    """
    if not _marker(spark, settings).exists():
        return
    try:
        delete_counts(spark, settings)
    except Refused as refused:
        if refused.operation is None:  # Kafka does not let this user in at all
            raise
        raise UserError(
            "The deletion of the counts was cut off, and the Kafka user "
            f"{settings.kafka.principal} may not finish it. Run `nest repair stats` as "
            "the operator (docs/security.md), and start the pipeline again."
        ) from None


def _marker(spark: SparkSession, settings: Settings) -> Storage:
    return Checkpoint(spark, settings, Query.STATS).beside(CheckpointSidecar.DELETION)
