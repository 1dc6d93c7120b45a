"""How many tasks a local Spark runs at a time."""

import os
import re

from pyspark.sql import DataFrame

from contract.settings import Settings

_LOCAL = re.compile(r"local(?:\[(\*|\d+)(\s*,\s*\d+)?\])?")
"""With the number of slots, and after a comma how often a task is tried."""


def with_slots_for_real_time(settings: Settings) -> str:
    """Return the Spark master with task slots for the query sightings beside those of the others.

    A query in real-time mode keeps a slot for each partition of nest-logs, of which there are
    ``settings.partitions``: its tasks last as long as its batches of minutes, one after the other.
    A cluster has to bring these slots itself.
    """
    local = _parse_local(settings.spark_master)
    if not settings.sightings or local is None:
        return settings.spark_master
    slots, retries = local
    return f"local[{slots + settings.partitions}{retries}]"


def in_few_tasks(records: DataFrame, settings: Settings) -> DataFrame:
    """Read the partitions of a live batch in no more tasks than a local master has slots for.

    Most of what a small batch costs is the same for each task, however few records it reads.
    A cluster has slots for all partitions.
    """
    local = _parse_local(settings.spark_master)
    return records if local is None else records.coalesce(local[0])


def _parse_local(spark_master: str) -> tuple[int, str] | None:
    """Return the slots of a local master, and its retries as it has them; None for another one."""
    match = _LOCAL.fullmatch(spark_master)
    if match is None:
        return None
    slots = (os.cpu_count() or 1) if match[1] == "*" else int(match[1] or 1)
    return slots, match[2] or ""
