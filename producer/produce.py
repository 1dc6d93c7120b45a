"""Send a world's messages to Kafka: a bounded number, or the history and then live."""

from contextlib import closing
from datetime import datetime

from contract.settings import Settings
from producer.bounded_run import run_bounded
from producer.disk_space import require_free_disk
from producer.live_run import run_live
from producer.sender import Sender
from producer.signals import stop_on_signals
from producer.world.homes import build_home


def produce(
    settings: Settings, *, messages: int | None = None, start: datetime | None = None
) -> None:
    """Send a world's messages to nest-logs.

    With ``messages``: exactly the first so many of the world from ``start`` (by default a whole
    hour, far enough back that none is in the future), without ever waiting. Without: the history,
    from ``start`` or from where an earlier run ended, then live until SIGINT or SIGTERM, which
    flush and return. A ``start`` without time zone is in UTC.

    Raises UserError when Kafka cannot be reached, a record cannot be delivered, the disk is
    nearly full, or a bounded run is interrupted.
    """
    require_free_disk(settings.state)
    homes = [build_home(settings.seed, number) for number in range(settings.homes)]
    with closing(Sender(settings.bootstrap_servers)) as sender, stop_on_signals() as stop:
        if messages is None:
            run_live(settings, homes, sender, stop, start)
        else:
            run_bounded(settings, homes, sender, stop, messages=messages, start=start)
