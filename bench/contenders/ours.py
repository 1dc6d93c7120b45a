"""The queries of this project, exactly as shipped: archive and stats alone, and both together."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType

from rich.console import Console

from bench.contenders.spark import ONCE, Work, session
from contract.settings import Settings
from pipeline.app import run_queries
from pipeline.queries import archive as archive_query
from pipeline.queries import stats as stats_query


@contextmanager
def stats(settings: Settings) -> Iterator[Work]:
    """Count the sightings."""
    with _alone(stats_query, settings) as work:
        yield work


@contextmanager
def archive(settings: Settings) -> Iterator[Work]:
    """Write the tables camera and quarantine."""
    with _alone(archive_query, settings) as work:
        yield work


@contextmanager
def both(settings: Settings) -> Iterator[Work]:
    """Do what `nest pipeline --once` does, its progress records and supervision included."""
    with session(settings) as spark:
        console = Console(stderr=True)
        yield lambda settings: run_queries(spark, settings, threading.Event(), console, once=True)


@contextmanager
def _alone(query: ModuleType, settings: Settings) -> Iterator[Work]:
    with session(settings) as spark:
        yield lambda settings: query.start(spark, settings, ONCE).awaitTermination()
