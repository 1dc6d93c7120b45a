"""The small files that the pipeline keeps beside the checkpoints of its queries."""

from enum import StrEnum


class CheckpointSidecar(StrEnum):
    """A file beside a checkpoint; its name begins with the query's, as in ``stats.origin``."""

    ORIGIN = "origin"
    """The topic, tables and rules that the query began with."""
    STARTING_OFFSETS = "starting_offsets"
    """Where the query begins after a repair."""
    DELETION = "rebuild"
    """There while the counts are being deleted, to be made anew."""
