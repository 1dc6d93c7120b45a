"""Send a world's messages to Kafka: a bounded number, or the history and then live."""

import sys
from contextlib import closing
from datetime import datetime
from threading import Event

from contract.errors import Interrupted
from contract.settings import Settings
from producer.bounded_run import run_bounded
from producer.disk_space import CHECK_EVERY_S, require_free_disk
from producer.live_run import run_live
from producer.possible_start import require_possible_start
from producer.progress import ProducerProgress
from producer.sender import Sender
from producer.signals import stop_on_signals
from producer.throttle import Throttle
from producer.world.homes import build_home
from producer.world.model import Home

_SWITCH_INTERVAL_S = 0.001
"""How long Python lets a thread run on while another one is ready. The one that makes the messages
never waits, so with Python's own 5 ms the one that sends them would often come late."""


def produce(
    settings: Settings, *, messages: int | None = None, start: datetime | None = None
) -> None:
    """Send a world's messages to nest-logs.

    With ``messages``: exactly the first so many of the world from ``start`` (by default a whole
    hour, far enough back that none is in the future), without ever waiting. Without: the history,
    from ``start`` or from where an earlier run ended, then live until SIGINT or SIGTERM, which
    flush and return. A ``start`` without time zone is in UTC.

    Raises UserError for a ``start`` that cannot be, when Kafka cannot be reached, a record is not
    acknowledged or the disk is nearly full, and Interrupted when a signal stops a bounded run.
    """
    require_possible_start(start)
    require_free_disk(settings.state)
    sys.setswitchinterval(_SWITCH_INTERVAL_S)
    with (
        closing(Sender(settings.kafka)) as sender,
        ProducerProgress(sender) as progress,
        stop_on_signals() as stop,
    ):
        homes = _build_homes(settings, progress, stop)
        if stop.is_set() and messages is not None:
            raise Interrupted("Stopped before the first message.", stop.signal)
        if stop.is_set():
            progress.say("Stopped before the first message.")
        elif messages is None:
            run_live(settings, homes, sender, progress, stop, start=start)
        else:
            run_bounded(settings, homes, sender, progress, stop, messages=messages, start=start)


def _build_homes(settings: Settings, progress: ProducerProgress, stop: Event) -> list[Home]:
    """Build the world's homes; with a million of them that takes a while, and can be stopped."""
    homes: list[Home] = []
    is_check_due = Throttle(CHECK_EVERY_S)
    is_check_due()  # a small world needs no bar
    for number in range(settings.homes):
        homes.append(build_home(settings.seed, number))
        if is_check_due():
            if stop.is_set():
                break
            progress.show("homes", number, settings.homes)
    return homes
