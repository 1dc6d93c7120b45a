"""How many tasks a local Spark runs at a time."""

import os
import re

from contract.settings import Settings

_LOCAL = re.compile(r"local(?:\[(\*|\d+)(\s*,\s*\d+)?\])?")
"""With the number of slots, and after a comma how often a task is tried."""


def with_slots_for_real_time(settings: Settings) -> str:
    """Return the Spark master with task slots for the query sightings beside those of the others.

    A query in real-time mode keeps a slot for each partition of nest-logs, of which there are
    ``settings.partitions``: its tasks never end. A cluster has to bring these slots itself.
    """
    match = _LOCAL.fullmatch(settings.spark_master)
    if not settings.sightings or match is None:
        return settings.spark_master
    slots = (os.cpu_count() or 1) if match[1] == "*" else int(match[1] or 1)
    return f"local[{slots + settings.partitions}{match[2] or ''}]"
