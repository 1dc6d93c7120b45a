"""The project's queries as shipped: ``stats`` and ``archive`` alone, and ``both`` together."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from bench.command import new_console
from bench.contenders.registry import Job
from bench.contenders.spark import pipeline_session
from contract.settings import Settings
from pipeline.app import run_queries
from pipeline.queries import archive as archive_query
from pipeline.queries import stats as stats_query
from pipeline.queries.query_module import QueryModule


@contextmanager
def stats(settings: Settings) -> Iterator[Job]:
    """Count the sightings."""
    with _single_query(stats_query, settings) as job:
        yield job


@contextmanager
def archive(settings: Settings) -> Iterator[Job]:
    """Write the tables camera and quarantine."""
    with _single_query(archive_query, settings) as job:
        yield job


@contextmanager
def both(settings: Settings) -> Iterator[Job]:
    """Archive and count as `nest pipeline --once` does, with progress records and supervision."""
    with pipeline_session(settings) as spark:
        console = new_console(stderr=True)
        queries = (stats_query, archive_query)
        yield lambda settings: run_queries(
            spark, settings, threading.Event(), console, once=True, queries=queries
        )


@contextmanager
def _single_query(query: QueryModule, settings: Settings) -> Iterator[Job]:
    with pipeline_session(settings) as spark:

        def job(settings: Settings) -> None:
            query.start(spark, settings, once=True).awaitTermination()

        yield job
