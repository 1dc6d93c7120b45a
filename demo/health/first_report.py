"""Wait until the counts of the history are in the report."""

import math
import time
from collections.abc import Callable
from datetime import datetime, timedelta

from kafka.errors import AuthorizationError, KafkaError
from rich.console import Console
from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn

from contract.counts import Counts
from contract.errors import NoBroker
from contract.instants import from_epoch_ms
from contract.kafka.connections import ends_by_partition, open_consumer
from contract.kafka.log_offsets import end_offsets, has_reached, newest_timestamp
from contract.polling import poll_until
from contract.progress import READ_BACK, ProgressLog
from contract.queries import Query
from contract.settings import Settings
from contract.topics import NEST_LOGS

_RECENT = timedelta(minutes=1)
_STANDSTILL_S = 5.0
_START_OF_A_PRODUCER_S = 60.0
"""For so long nothing may come in the midst of the history: its producer was killed, say."""
_DAY = timedelta(days=1)


def first_report(
    settings: Settings, started: datetime, keep_running: Callable[[], None], console: Console
) -> Counts:
    """Return the counts of the history once they are there, with a bar while they come.

    ``keep_running`` is called repeatedly; what it raises ends the wait.
    """
    what, figures = TextColumn("{task.description}"), TextColumn("{task.fields[figures]}")
    with Progress(
        SpinnerColumn(), what, BarColumn(), figures, console=console, transient=True
    ) as bar:
        task = bar.add_task("Messages counted, of those in Kafka", total=None, figures="")

        def show_progress(counted: int, in_kafka: int) -> None:
            keep_running()
            figures = f"{counted:,} of {in_kafka:,}"
            bar.update(task, completed=counted, total=max(in_kafka, 1), figures=figures)

        return wait_for_first_report(settings, started, show_progress)


def wait_for_first_report(
    settings: Settings,
    started: datetime,
    on_progress: Callable[[int, int], None],
) -> Counts:
    """Return the counts once they hold every message of the history.

    ``started`` is when the demo was started: the history ends there. Where the history is played
    slowly (NEST_SPEED), the first counts end the wait as well. ``on_progress`` is called
    repeatedly, also while Kafka is away, with the number of messages counted and in Kafka; what it
    raises ends the wait. Raises UserError when there is no broker or topic to begin with.
    """
    history = _History(settings, started)
    progress, counts = ProgressLog(READ_BACK), Counts()
    ends: dict[int, int] = {}
    with open_consumer(settings.kafka) as consumer:
        ends.update(ends_by_partition(consumer, NEST_LOGS.name))

        def has_refreshed() -> bool:
            """Tell whether Kafka has answered; the counts are those of the progress or newer."""
            try:
                history.refresh()
                progress.refresh(consumer)
                counts.refresh(consumer)
                ends.update(ends_by_partition(consumer, NEST_LOGS.name))
            except AuthorizationError:
                raise
            except (NoBroker, KafkaError):
                history.interrupt()
                return False
            return True

        def is_there() -> bool:
            is_fresh = has_refreshed()
            done = progress.committed_offsets(Query.STATS, ends)
            on_progress(sum(done.values()), sum(history.ends.values()))
            if settings.speed and counts.by_key:
                return True
            return is_fresh and history.is_over and has_reached(done, history.ends)

        poll_until(is_there, "the first report", math.inf, interval=0.3)
    return counts


class _History:
    """Watches nest-logs grow until it has come to the present; ``ends`` is then its end."""

    def __init__(self, settings: Settings, started: datetime) -> None:
        self._kafka, self._started = settings.kafka, started
        # A home sends a hundred messages a day, fewer at night.
        self._longest_silence = _RECENT + _DAY / settings.homes
        self.ends: dict[int, int] = {}
        self.is_over = False
        self._grew_at = time.monotonic()

    def interrupt(self) -> None:
        """Note that Kafka has not answered: whether its topic grew is not known."""
        self._grew_at = time.monotonic()

    def refresh(self) -> None:
        if self.is_over:
            return
        newest, ends = newest_timestamp(self._kafka), end_offsets(self._kafka)
        now = time.monotonic()
        if ends != self.ends:
            self.ends, self._grew_at = ends, now
        age = timedelta.max if newest is None else self._started - from_epoch_ms(newest)
        # Few homes may send nothing for minutes: then a topic that stopped growing ends it.
        patience = _STANDSTILL_S if age <= self._longest_silence else _START_OF_A_PRODUCER_S
        stands_still = now - self._grew_at > patience
        self.is_over = any(ends.values()) and (age <= _RECENT or stands_still)
