"""`nest repair`: make what a query keeps anew, from what is in Kafka and in the tables.

Each function returns what it has done and what comes next, in a sentence for people, and raises
UserError while a pipeline runs.
"""

from collections.abc import Callable

from pyspark.sql import SparkSession

from contract.quantities import format_quantity
from contract.settings import Settings
from pipeline.checkpoints.only_writer import require_no_other_pipeline_running
from pipeline.checkpoints.starting_offsets import require_start_at_first_message
from pipeline.commands.complete_archive import complete_archive, set_archive_aside
from pipeline.commands.delete_camera_status import delete_alert_checkpoint, delete_camera_status
from pipeline.commands.delete_counts import delete_counts, delete_sightings
from pipeline.commands.messages_gone import require_all_messages
from pipeline.single_writer.writing_session import writing_session

_SIGHTINGS_ARE_OFF = "`nest pipeline` fills nest-sightings again only with NEST_SIGHTINGS=true."


def repair_counts(settings: Settings, *, force: bool = False) -> str:
    """Delete all counts and sightings, so that the next start counts from the first message.

    Raises UserError, unless ``force`` is set, where messages are gone from nest-logs, whose counts
    nobody could make again, and where that start would not begin at the first message; in any case
    where another pipeline counts into this Kafka.
    """
    _delete_to_replay(settings, delete_counts, force=force)
    return "The counts are deleted. `nest pipeline` counts from the first message." + (
        "" if settings.sightings else f" {_SIGHTINGS_ARE_OFF}"
    )


def repair_sightings(settings: Settings, *, force: bool = False) -> str:
    """Delete all sightings, so that the next start sends them from the first message.

    Raises UserError as ``repair_counts`` does.
    """
    _delete_to_replay(settings, delete_sightings, force=force)
    return "nest-sightings is empty. " + (
        "`nest pipeline` fills it from the first message."
        if settings.sightings
        else _SIGHTINGS_ARE_OFF
    )


def _delete_to_replay(
    settings: Settings, delete: Callable[[SparkSession, Settings], None], *, force: bool
) -> None:
    if not force:
        require_all_messages(settings)
        require_start_at_first_message(settings)
    with writing_session(settings) as spark:
        require_no_other_pipeline_running(spark, settings)
        delete(spark, settings)


def repair_archive(settings: Settings, *, new_tables: bool = False, force: bool = False) -> str:
    """Write what the archive's tables lack, and make a checkpoint that goes on after it.

    With ``new_tables`` the tables are set aside and written anew. Raises UserError if rows would be
    missing in the new ones because their messages are gone, unless ``force`` is set.
    """
    if new_tables and not force:
        require_all_messages(settings)
    with writing_session(settings) as spark:
        aside = set_archive_aside(spark, settings) if new_tables else []
        written = complete_archive(spark, settings)
    return (
        f"Written because they were missing: {format_quantity(written.cameras, 'row')} of camera, "
        f"{written.rejections:,} of quarantine. `nest pipeline` goes on from here."
        + (f" The old tables are in {' and '.join(aside)}." if aside else "")
    )


def repair_camera_status(settings: Settings) -> str:
    """Delete the table ``camera_status``, so that the next start builds it from ``camera``."""
    with writing_session(settings) as spark:
        delete_camera_status(spark, settings)
    return "The table camera_status is deleted. `nest pipeline` builds it anew."


def repair_alerts(settings: Settings) -> str:
    """Delete the checkpoint of the alerts; the alerts that were sent stay."""
    with writing_session(settings) as spark:
        delete_alert_checkpoint(spark, settings)
    return (
        "The checkpoint of alerts is deleted. `nest pipeline` sends an alert for each camera whose "
        "state differs from its last alert."
    )
