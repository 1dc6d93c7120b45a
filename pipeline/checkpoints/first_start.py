"""Where in nest-logs the pipeline's first start began, kept for the queries that begin later."""

import json
from contextlib import suppress

from pyspark.sql import SparkSession

from contract.checkpoint_sidecars import FIRST_START
from contract.errors import UserError
from contract.queries import Query
from contract.settings import Settings
from pipeline.checkpoints.checkpoint import Checkpoint
from pipeline.checkpoints.origin import topic_id
from pipeline.spark.storage import Storage

_READERS = (Query.STATS, Query.ARCHIVE, Query.SIGHTINGS)
"""The queries that read nest-logs."""


def read_first_start(spark: SparkSession, settings: Settings) -> str | None:
    """Return the offsets at which the pipeline began, as NEST_STARTING_OFFSETS has them.

    None if nothing was kept, or if it is torn, of another topic or of another setting.
    """
    kept = _file(spark, settings).read_json_if_whole()
    if kept is None:
        return None
    is_ours = (kept["topic_id"], kept["setting"]) == (topic_id(settings), settings.starting_offsets)
    return str(kept["offsets"]) if is_ours else None


def began_by_other_starting_offsets(spark: SparkSession, settings: Settings) -> bool:
    """Return whether a query has begun by another NEST_STARTING_OFFSETS than the settings have."""
    kept = _file(spark, settings).read_json_if_whole()
    began_by = "earliest" if kept is None else kept["setting"]
    return began_by != settings.starting_offsets and any_query_has_begun(spark, settings)


def keep_first_start(spark: SparkSession, settings: Settings, offsets: str) -> None:
    """Keep where the queries begin, unless one has begun already: nobody knows where that was."""
    if any_query_has_begun(spark, settings):
        return
    kept = {
        "topic_id": topic_id(settings),
        "setting": settings.starting_offsets,
        "offsets": offsets,
    }
    _file(spark, settings).write_text(json.dumps(kept))


def any_query_has_begun(spark: SparkSession, settings: Settings) -> bool:
    """Return whether a query that reads nest-logs has a checkpoint, be it torn."""
    return any(_has_begun(Checkpoint(spark, settings, query)) for query in _READERS)


def _has_begun(checkpoint: Checkpoint) -> bool:
    with suppress(UserError):  # torn
        return checkpoint.has_begun()
    return True


def _file(spark: SparkSession, settings: Settings) -> Storage:
    return Storage(spark, f"{settings.checkpoints}/{FIRST_START}")
