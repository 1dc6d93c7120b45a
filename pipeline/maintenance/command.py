"""`nest maintain`: by itself where no pipeline runs, else by asking the pipeline."""

from contract.duration import whole_hours
from contract.settings import Settings
from pipeline.lake.tables import ensure_layouts, existing_tables
from pipeline.maintenance.maintain import Maintained, maintain_tables
from pipeline.maintenance.request import request_maintenance
from pipeline.spark.exclusive_session import exclusive_session
from pipeline.spark.lock import are_checkpoints_locked


def maintain(settings: Settings, retention_hours: int | None = None) -> list[Maintained]:
    """Maintain the tables; ``retention_hours`` replaces their own retention this once.

    Raises UserError if there is no table, or a running pipeline ends before it has done it.
    """
    if are_checkpoints_locked(settings):
        return request_maintenance(settings, retention_hours)
    if retention_hours is None:
        # camera_status keeps replaced files for hours only, as the stream of its changes is seconds
        # behind. A stopped pipeline's stream is behind for as long as it is stopped.
        retention_hours = whole_hours(settings.version_retention)
    with exclusive_session(settings) as spark:
        ensure_layouts(spark, settings, existing_tables(spark, settings))
        return maintain_tables(spark, settings, retention_hours)
