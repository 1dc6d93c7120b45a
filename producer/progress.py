"""What a producer prints: a progress bar for the past, then a line every few seconds."""

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

from contract.quantities import format_quantity
from producer.sender import Sender
from producer.throttle import Throttle

LINE_EVERY_S = 10.0
"""Seconds between two lines while live."""


class ProducerProgress:
    """Progress on standard error; the bar moves only where that is a terminal."""

    def __init__(self, sender: Sender) -> None:
        self._console = Console(stderr=True, highlight=False, soft_wrap=True)
        self._sender = sender
        self._bar = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            TextColumn("{task.percentage:>3.0f}%  {task.fields[records]}"),
            TimeElapsedColumn(),
            TimeRemainingColumn(),
            console=self._console,
            refresh_per_second=4,
        )
        self._task: TaskID | None = None
        self._what = ""
        self._line_is_due = Throttle(LINE_EVERY_S)
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
        """Show how much of a task is done; the bar ends when all of it is.

        A task of another name takes the bar over.
        """
        if self._task is not None and what != self._what:
            self._bar.remove_task(self._task)
            self._task = None
        if self._task is None:
            self._task, self._what = self._bar.add_task(what, records=""), what
            self._bar.start()
        if not self._bar.finished:
            done = min(done, total)
            records = format_quantity(self._sender.records, "record")
            self._bar.update(self._task, completed=done, total=total, records=records)
            if self._bar.finished:
                self._bar.stop()
                self._line_is_due()
                self._last_line = (monotonic(), self._sender.records, self._sender.bytes)

    def show_live(self, load_factor: float) -> None:
        """Print a line with the rates since the last one, if it is time for one."""
        if not self._line_is_due():
            return
        before, records, size = self._last_line
        moment = monotonic()
        self._last_line = (moment, self._sender.records, self._sender.bytes)
        seconds = max(moment - before, 0.001)
        self.say(
            f"live: {(self._sender.records - records) / seconds:,.1f} messages/s, "
            f"{(self._sender.bytes - size) / seconds / 1000:,.1f} kB/s, "
            f"{format_quantity(self._sender.errors, 'error')}{_busyness(load_factor)}"
        )


def _busyness(load_factor: float) -> str:
    if abs(load_factor - 1) < 0.05:
        return ""
    return f" (the same homes, {load_factor:.3g} times as busy)"
