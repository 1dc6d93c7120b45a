"""Maintenance inside the running pipeline: at an interval, and when `nest maintain` asks for it."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from pyspark.sql import SparkSession
from rich.console import Console

from contract.errors import UserError
from contract.settings import Settings
from pipeline.maintenance.maintain import Maintained, maintain_tables
from pipeline.maintenance.request import answer, next_request, return_taken_requests
from pipeline.spark.failures import root_cause
from pipeline.spark.session import silence_jvm

_GROUP = "maintenance"
"""The job group, by which the jobs are cancelled, and the scheduler pool (``scheduler.xml``)."""
_POLL_S = 1.0
_STOP_WAIT_S = 10.0


@contextmanager
def scheduled_maintenance(
    spark: SparkSession, settings: Settings, console: Console
) -> Iterator[None]:
    """Maintain the tables in a thread of its own while the ``with`` lasts.

    Delta's log on a local disk is safe for several threads of one application, and not for several
    applications. So whoever wants maintenance beside a running pipeline asks the pipeline for it.
    The caller holds the lock of the checkpoints.
    """
    silence_jvm(spark)
    return_taken_requests(settings)
    stopping = threading.Event()
    thread = threading.Thread(
        target=_run, args=(spark, settings, console, stopping), name=_GROUP, daemon=True
    )
    thread.start()
    try:
        yield
    finally:
        stopping.set()
        with suppress(Exception):  # the JVM may have ended by itself
            spark.sparkContext.cancelJobGroup(_GROUP)  # what has been committed is kept
        thread.join(_STOP_WAIT_S)


def _run(
    spark: SparkSession, settings: Settings, console: Console, stopping: threading.Event
) -> None:
    spark.sparkContext.setJobGroup(_GROUP, "maintenance of the tables", interruptOnCancel=True)
    spark.sparkContext.setLocalProperty("spark.scheduler.pool", _GROUP)

    def maintain(retention_hours: int | None = None) -> list[Maintained]:
        maintained = maintain_tables(spark, settings, retention_hours, stopping=stopping)
        if stopping.is_set():
            raise UserError("The pipeline was stopped before the maintenance was finished.")
        return maintained

    interval = settings.maintenance_interval.total_seconds()
    due = time.monotonic() + interval
    while not stopping.wait(_POLL_S):
        is_due = interval > 0 and time.monotonic() >= due
        request = None
        try:
            if request := next_request(settings):
                answer(settings, request, maintain)
            elif is_due:
                with suppress(UserError):  # there is no table yet
                    _print(maintain(), console)
        except Exception as error:  # maintenance stops no query; the next one goes on
            if not stopping.is_set():
                console.print(f"maintenance failed: {root_cause(error)}", style="yellow")
        if request or is_due:
            due = time.monotonic() + interval


def _print(tables: list[Maintained], console: Console) -> None:
    for each in tables:
        before, after = each.before, each.after
        if each.failure:
            console.print(
                f"maintenance of {each.table} was not finished: {each.failure}",
                style="yellow",
                highlight=False,
            )
        elif before.stored_files != after.stored_files or before.files != after.files:
            console.print(
                f"maintenance of {each.table}: "
                f"files before {before.files:,}, after {after.files:,}; "
                f"on disk before {before.stored_files:,}, after {after.stored_files:,}",
                highlight=False,
            )
