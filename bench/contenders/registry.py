"""The list of contenders: where the code of each is, and what each must write."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pkgutil import resolve_name
from typing import Literal

from contract.settings import Settings

Job = Callable[[Settings], None]
"""Reads nest-logs from ``starting_offsets`` to its current end, writes to the settings' lake and
checkpoints, and returns when its last write is committed."""


@dataclass(frozen=True)
class Contender:
    """One program to measure, and what the verification may expect of its output."""

    entry_point: str
    """``module:function`` under ``bench.contenders``."""
    is_ours: bool = False
    counts: Literal["sightings", "rows"] | None = None
    """What it counts per zip code and hour: distinct sightings on time, or rows with a person."""
    archive: Literal["delta", "parquet"] | None = None
    """The format of its table ``camera``."""
    has_quarantine: bool = False
    publishes_progress: bool = False
    is_peer: bool = False
    """Whether it is one of the streaming systems that only `make bench-peers` installs and runs."""

    def prepare(self, settings: Settings) -> AbstractContextManager[Job]:
        """Return the context manager that starts what the job needs, such as a JVM."""
        function = resolve_name(f"bench.contenders.{self.entry_point}")
        prepared: AbstractContextManager[Job] = function(settings)
        return prepared


CONTENDERS = {
    "scan": Contender("spark:scan"),
    "published": Contender("published:published", counts="rows", archive="parquet"),
    "stats": Contender("pipeline_queries:stats", is_ours=True, counts="sightings"),
    "archive": Contender(
        "pipeline_queries:archive", is_ours=True, archive="delta", has_quarantine=True
    ),
    "both": Contender(
        "pipeline_queries:both",
        is_ours=True,
        counts="sightings",
        archive="delta",
        has_quarantine=True,
        publishes_progress=True,
    ),
    "plain_python": Contender("plain_python:plain_python", counts="sightings", archive="delta"),
    "duckdb": Contender("duckdb_sql:duckdb_sql", counts="sightings", archive="delta"),
    "bytewax": Contender(
        "bytewax_flow:bytewax_flow", counts="sightings", archive="delta", is_peer=True
    ),
    "flink": Contender("flink_sql:flink_sql", counts="sightings", archive="parquet", is_peer=True),
}
"""The contenders by name, in the order in which they run."""
