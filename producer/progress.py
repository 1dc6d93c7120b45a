"""What a producer tells the person who started it: a bar for the past, then a line a while."""

from time import monotonic
from types import TracebackType

from rich.console import Console
from rich.progress import (
    BarColumn,
    Progress,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from producer.replay_clock import Every
from producer.sender import Sender

LINE_EVERY = 10.0
"""Seconds between two lines while live."""


class ProducerProgress:
    """Progress on standard error; the bar moves only where that is a terminal.

    ``busier`` is how many times busier than usual the world is that goes live.
    """

    def __init__(self, sender: Sender, busier: float = 1.0) -> None:
        self._console = Console(stderr=True, highlight=False, soft_wrap=True)
        self._sender = sender
        self._busier = busier
        self._bar = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            TextColumn("{task.percentage:>3.0f}%  {task.fields[records]:,} records"),
            TimeElapsedColumn(),
            TimeRemainingColumn(),
            console=self._console,
            refresh_per_second=4,
        )
        self._task: TaskID | None = None
        self._line_is_due = Every(LINE_EVERY)
        self._last_line = (monotonic(), 0, 0)

    def __enter__(self) -> "ProducerProgress":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._task is not None:
            self._bar.stop()

    def say(self, text: str) -> None:
        """Print a line."""
        self._console.print(text)

    def show(self, what: str, done: float, total: float) -> None:
        """Show how much of the past is done; the bar ends when all of it is."""
        if self._task is None:
            self._task = self._bar.add_task(what, records=0)
            self._bar.start()
        if not self._bar.finished:
            done = min(done, total)
            self._bar.update(self._task, completed=done, total=total, records=self._sender.records)
            if self._bar.finished:
                self._bar.stop()
                self._line_is_due()
                self._last_line = (monotonic(), self._sender.records, self._sender.bytes)

    def show_live(self) -> None:
        """Print how fast it goes, if it is time to."""
        if not self._line_is_due():
            return
        before, records, size = self._last_line
        moment = monotonic()
        self._last_line = (moment, self._sender.records, self._sender.bytes)
        seconds = max(moment - before, 0.001)
        self.say(
            f"live: {(self._sender.records - records) / seconds:,.1f} messages/s, "
            f"{(self._sender.bytes - size) / seconds / 1000:,.1f} kB/s, "
            f"{self._sender.errors} errors{self._pace()}"
        )

    def _pace(self) -> str:
        if abs(self._busier - 1) < 0.05:
            return ""
        change = "busier" if self._busier > 1 else "calmer"
        return f" (the same world, {change} ×{self._busier:.3g})"  # noqa: RUF001
