"""How fast a total grows, also where it grows by steps."""

from collections import deque
from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from typing import NamedTuple

RATE_WINDOW = timedelta(minutes=1)
"""Rates are means over this time; of a query that waits for more, over as much more as it waits."""

Rates = Iterator[tuple[datetime, float | None]]
"""A time (UTC), and how many there were per second before it; None where that is not known."""


class Total(NamedTuple):
    """How many there were at a moment (UTC)."""

    time: datetime
    number: int


def rates(totals: Iterable[Total], patience: timedelta, shortest: timedelta) -> Rates:
    """Yield the time of each total, and the increase per second over the time before it.

    A total of a query that waits, up to its ``patience``, for more before it commits grows by
    steps, and how many are in a window is chance. So its rate is measured from one step to another,
    and is 0 when none has come for long. None where the time is less than ``shortest``: nothing is
    known yet, or the total has fallen, as the topic was recreated or the query began anew.
    """
    known: deque[Total] = deque()
    is_step = False  # when the first total was reached is not known
    for total in totals:
        if not known or total.number < known[-1].number:
            known, is_step = deque([total]), False
        elif total.number > known[-1].number or not patience:
            if patience and not is_step:
                known.clear()
            known.append(total)
            is_step = True
        end = max(known[-1].time, total.time - patience)
        while len(known) > 1 and known[0].time < end - RATE_WINDOW - patience:
            known.popleft()
        passed = end - known[0].time
        increase = total.number - known[0].number
        is_known = passed >= shortest
        yield total.time, increase / passed.total_seconds() if is_known else None
