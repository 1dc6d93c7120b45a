"""The small files beside the checkpoints of the queries."""

from enum import StrEnum

FIRST_START = "starting_offsets"
"""The file with the offsets at which the pipeline began, for the queries that begin later."""


class CheckpointSidecar(StrEnum):
    """A file beside a checkpoint; its name begins with the query's, as in ``stats.origin``."""

    ORIGIN = "origin"
    """The topic, tables and rules that the query began with."""
    REPAIRED_START = "starting_offsets"
    """Where the query begins after a repair."""
    DELETION = "rebuild"
    """There while the counts are being deleted, to be made anew."""


class MaintenanceFile(StrEnum):
    """A file by which `nest maintain` asks a running pipeline; the request's id ends its name."""

    REQUEST = "maintenance.request."
    TAKEN = "maintenance.taken."
    """What a request is called while the pipeline works on it."""
    RESULT = "maintenance.result."
