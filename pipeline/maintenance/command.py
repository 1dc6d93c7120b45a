"""`nest maintain`: by itself where no pipeline runs, else by asking the pipeline."""

from contract.duration import whole_hours
from contract.errors import UserError
from contract.settings import MIN_VERSION_RETENTION, Settings
from pipeline.lake.tables import ensure_layouts, existing_tables
from pipeline.maintenance.maintain import Maintained, maintain_tables
from pipeline.maintenance.request import request_maintenance
from pipeline.single_writer.lock import are_checkpoints_locked
from pipeline.single_writer.writing_session import exclusive_session


def maintain(settings: Settings, retention_hours: int | None = None) -> list[Maintained]:
    """Maintain the tables; old versions are kept for so many hours, by default as the settings say.

    Raises UserError if there is no table, a running pipeline ends before it has done it, or one
    runs that could still need the files.
    """
    if retention_hours is None:
        # camera_status keeps replaced files for hours only, as the stream of its changes is seconds
        # behind. That of a pipeline that is stopped, or has just started, is behind for longer.
        retention_hours = whole_hours(settings.version_retention)
    if are_checkpoints_locked(settings):
        if retention_hours < whole_hours(MIN_VERSION_RETENTION):
            raise UserError(
                f"A pipeline or another command works with {settings.checkpoints}. It could still "
                "need files that are younger than a day: stop it first."
            )
        return request_maintenance(settings, retention_hours)
    with exclusive_session(settings) as spark:
        ensure_layouts(spark, settings, existing_tables(spark, settings))
        return maintain_tables(spark, settings, retention_hours)
