"""How fast a total grows, also where it grows by steps."""

from collections import deque
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

RATE_WINDOW = timedelta(minutes=1)
"""Rates are means over this time; of a query that waits for more, over as much more as it waits."""

Rates = Iterator[tuple[datetime, float | None]]
"""A time (UTC), and how many there were per second before it; None where that is not known."""


class TimedTotal(NamedTuple):
    """How many there were at a moment (UTC)."""

    time: datetime
    number: int


def rates_in_window(totals: Iterable[TimedTotal], shortest: timedelta) -> Rates:
    """Yield the time of each total, and the increase per second over the window before it.

    None where that is less than ``shortest``: nothing is known yet, or the total has fallen, as the
    topic was recreated.
    """
    known: deque[TimedTotal] = deque()
    for total in totals:
        if known and total.number < known[-1].number:
            known.clear()
        known.append(total)
        while known[0].time < total.time - RATE_WINDOW:
            known.popleft()
        yield total.time, _rate(known[0], total, total.time, shortest)


def rates_by_step(totals: Iterable[TimedTotal], patience: timedelta, shortest: timedelta) -> Rates:
    """Yield the same of a query that waits, up to its ``patience``, for more before it commits.

    Its total grows by steps, and how many are in a window is chance. So its rate is measured from
    one step to another, and is 0 when none has come for long. None before two steps are known.
    """
    last: TimedTotal | None = None
    steps: deque[TimedTotal] = deque()
    since = datetime.min.replace(tzinfo=UTC)
    for total in totals:
        if last is None or total.number < last.number:  # when it came to this is not known
            steps.clear()
            since = total.time
        elif total.number > last.number:
            steps.append(total)
            since = total.time
        last = total
        if len(steps) < 2:
            yield total.time, 0.0 if total.time - since > RATE_WINDOW + patience else None
            continue
        # A query takes as long as it did for its last step, too, which may be a large batch.
        wait = max(patience, steps[-1].time - steps[-2].time)
        end = max(steps[-1].time, total.time - wait)
        while len(steps) > 1 and steps[1].time < end - RATE_WINDOW - wait:
            steps.popleft()
        yield total.time, _rate(steps[0], total, end, shortest)


def _rate(start: TimedTotal, total: TimedTotal, end: datetime, shortest: timedelta) -> float | None:
    passed = end - start.time
    return (total.number - start.number) / passed.total_seconds() if passed >= shortest else None
