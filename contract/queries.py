"""The streaming queries."""

from enum import StrEnum


class Query(StrEnum):
    """A streaming query; they are in the order in which they start: people wait for the counts.

    The value is the query's name in Spark, its checkpoint's folder, its key in
    ``nest-pipeline-progress`` and its scheduler pool.
    """

    STATS = "stats"
    """nest-logs to the counts in ``nest-camera-stats``."""
    ARCHIVE = "archive"
    """nest-logs to the tables ``camera`` and ``quarantine``."""
    SIGHTINGS = "sightings"
    """nest-logs to ``nest-sightings``, each person event a few milliseconds after its message."""
    CAMERA_STATUS = "camera_status"
    """The table ``camera`` to the newest row of each camera, in the table ``camera_status``."""
    ALERTS = "alerts"
    """The changes of ``camera_status`` to alerts in ``nest-camera-alerts``."""


REAL_TIME_QUERIES = (Query.SIGHTINGS,)
"""Queries whose batches last for minutes, while their records go through at once."""

BATCHED_FROM_NEST_LOGS = (Query.STATS, Query.ARCHIVE)
"""Those that read nest-logs in micro-batches of seconds: their progress says how far they are. The
query sightings reads it, too, and commits only every five minutes."""
