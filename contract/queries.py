"""The streaming queries by name.

The name is the query's in Spark, its checkpoint's folder, its key in ``nest-pipeline-progress``
and its scheduler pool.
"""

ARCHIVE = "archive"
"""nest-logs to the tables ``camera`` and ``quarantine``."""
STATS = "stats"
"""nest-logs to the counts in ``nest-camera-stats``."""

QUERIES = (STATS, ARCHIVE)
"""All of them, in the order in which they start: people wait for the counts."""
