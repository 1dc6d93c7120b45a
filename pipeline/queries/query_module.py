"""What each module of a streaming query has."""

from datetime import timedelta
from typing import Protocol, runtime_checkable

from pyspark.sql import SparkSession
from pyspark.sql.streaming.query import StreamingQuery

from contract.queries import Query
from contract.settings import Settings


class QueryModule(Protocol):
    """A module of this package that describes one streaming query."""

    NAME: Query
    """The name that its progress, its checkpoint and its messages have."""

    def start(self, spark: SparkSession, settings: Settings, *, once: bool) -> StreamingQuery:
        """Start the query, live or with ``once`` to the end of its input."""
        ...

    def longest_wait(self, settings: Settings) -> timedelta:
        """Return how long the live query may wait, by design, before its next batch."""
        ...


@runtime_checkable
class ResumableQuery(QueryModule, Protocol):
    """A query that can be asked whether it can go on, before any query starts.

    It starts after others, and a refusal would end them then. stats is the first one and says so
    itself, and sightings goes by the counting rules of stats.
    """

    def require_resumable(self, spark: SparkSession, settings: Settings) -> object:
        """Raise UserError where the query cannot go on with what it has written and kept.

        What it returns is only for its own start.
        """
        ...
