"""`nest check`: run the check, show its progress and print the verdict."""

from contextlib import suppress

from rich.console import Console
from rich.progress import Progress

from check import Verdict, run_check
from check.table import verdict_table
from check.topics import committed_offsets
from contract.connections import open_consumer
from contract.polling import poll_until
from contract.settings import Settings

FIRST_BATCH_TIMEOUT_S = 300.0
"""Seconds that a query may take for its first batch."""


def show_check(settings: Settings, console: Console, *, to_the_end: bool = False) -> Verdict:
    """Run the check with its progress shown, print the verdict and return it.

    With ``to_the_end`` the queries must have committed all that is in nest-logs.
    """
    with Progress(console=console, transient=True) as bar:
        task = bar.add_task("Waiting for each query's first batch", total=None)
        wait_for_first_batches(settings)
        bar.update(task, description="Checking")
        verdict = run_check(
            settings,
            lambda done, total: bar.update(task, completed=done, total=total),
            to_the_end=to_the_end,
        )
    console.print(verdict_table(verdict))
    return verdict


def wait_for_first_batches(settings: Settings, timeout: float = FIRST_BATCH_TIMEOUT_S) -> None:
    """Wait until all queries have committed something or none has; at most ``timeout`` seconds.

    When a pipeline has just started, the counts are there before the archive's first batch.
    """
    with open_consumer(settings.bootstrap_servers) as consumer, suppress(TimeoutError):
        poll_until(
            lambda: len(committed_offsets(consumer)) != 1, "a first batch", timeout, interval=0.5
        )
