"""What each module of a streaming query has."""

from datetime import timedelta
from typing import Protocol

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
