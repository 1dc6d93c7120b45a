"""`nest check`: run the check, show its progress and print the verdict."""

from collections.abc import Mapping
from datetime import UTC, datetime

from rich.console import Console
from rich.progress import Progress

from check import Verdict, run_check
from check.verdict_table import verdict_table
from contract.kafka.connections import open_consumer
from contract.last_check import LastCheck, keep_last_check
from contract.polling import poll_until
from contract.print_line import PrintLine, print_to_stderr
from contract.progress import ProgressLog, QueryProgress
from contract.queries import BATCHED_FROM_NEST_LOGS, Query
from contract.settings import Settings

FIRST_BATCH_TIMEOUT_S = 300.0
"""Seconds that a query may take for its first batch."""


def show_check(settings: Settings, console: Console, *, must_be_complete: bool = False) -> Verdict:
    """Run the check with its progress shown, print the verdict and return it.

    Without a terminal there is no progress bar: what is waited for goes to standard error. With
    ``must_be_complete`` the queries must have committed all that is in nest-logs.
    """
    with Progress(console=console, transient=True) as bar:
        task = bar.add_task("Waiting for each query's first batch", total=None)
        wait_for_first_batches(settings, console.print if console.is_terminal else print_to_stderr)
        bar.update(task, description="Checking")
        verdict = run_check(
            settings,
            lambda done, total, _values: bar.update(task, completed=done, total=total),
            must_be_complete=must_be_complete,
        )
    console.print(verdict_table(verdict))
    return verdict


def keep_verdict(settings: Settings, verdict: Verdict, started_at: datetime) -> None:
    """Leave the verdict for those who watch; where that cannot be done, say so and go on."""
    try:
        keep_last_check(settings.state, LastCheck(started_at, datetime.now(UTC), verdict))
    except OSError as error:
        where = f"{error.filename}: {error.strerror}"
        print_to_stderr(f"The metrics and the dashboard will not know of this check: {where}.")


def wait_for_first_batches(
    settings: Settings, say: PrintLine, timeout: float = FIRST_BATCH_TIMEOUT_S
) -> None:
    """Wait until archive and stats have both committed something; at most ``timeout`` seconds.

    When a pipeline has just started, the counts are there before the archive's first batch. Where
    neither has begun, or the pipeline has stopped, there is nothing to wait for. ``say`` is told
    what is waited for, and when it did not come.
    """
    progress = ProgressLog()
    told: list[str] = []

    def is_over() -> bool:
        progress.refresh(consumer)
        awaited = awaited_query(progress.latest)
        if awaited and not told:
            told.append(awaited)
            say(f"Waiting for the first batch of {awaited}, for {timeout:g} s at most.")
        return not awaited

    with open_consumer(settings.kafka) as consumer:
        try:
            poll_until(is_over, "a first batch", timeout, interval=0.5)
        except TimeoutError:
            say(
                f"{told[0]} has committed nothing within {timeout:g} s. The check goes on, and "
                f"cannot hold before {told[0]} has. Is its first batch large, or is it dead? "
                "`nest ready` says how each query does."
            )


def awaited_query(latest: Mapping[str, QueryProgress]) -> Query | None:
    """Return the query whose first batch is yet to come while the other has committed some."""
    both = [latest[name] for name in BATCHED_FROM_NEST_LOGS if name in latest]
    begun = [each.query for each in both if each.end_offsets]
    if len(begun) != 1 or any(each.state == "stopped" for each in both):
        return None
    return Query.ARCHIVE if begun == [Query.STATS] else Query.STATS
