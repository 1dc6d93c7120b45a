"""Tell a world's story to Kafka: a bounded number of messages, or the history and then live."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from datetime import datetime
from functools import cache
from itertools import islice, takewhile
from threading import Event

from contract.errors import UserError
from contract.settings import Settings
from producer.dirt import Outgoing, dirt_of, with_dirt
from producer.disk_space import require_free_disk
from producer.progress import ProducerProgress
from producer.replay_clock import Every, Pace, now
from producer.resume import Beginning, beginning
from producer.sender import Sender
from producer.signals import stop_on_signals
from producer.world.homes import build_home
from producer.world.instants import format_epoch_ms, to_epoch_ms
from producer.world.message_rate import load_factor_for
from producer.world.messages import generate, start_for
from producer.world.model import Home
from producer.world.time_units import HOUR, SECOND
from producer.world.timeline import Timeline

LOOK_EVERY = 0.5
"""Seconds between two looks at the disk and the progress."""


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
            _produce_live(settings, homes, sender, stop, start)
        else:
            _produce_bounded(settings, homes, sender, stop, messages=messages, start=start)


def _produce_bounded(
    settings: Settings,
    homes: Sequence[Home],
    sender: Sender,
    stop: Event,
    *,
    messages: int,
    start: datetime | None,
) -> None:
    latest = now()
    begin = to_epoch_ms(start) if start else start_for(homes, messages, latest)
    told = islice(generate(homes, Timeline(settings.seed, begin)), messages)
    done, last, look = 0, begin, Every(LOOK_EVERY)
    with ProducerProgress(sender) as progress:
        for record in with_dirt(told, dirt_of(settings), settings.seed):
            if record.timestamp > latest:
                raise UserError(
                    f"Message {done + 1:,} of {messages:,} would be of "
                    f"{format_epoch_ms(record.timestamp)}, which is still to come. Start earlier, "
                    "or ask for fewer messages."
                )
            if stop.is_set():
                raise UserError(f"Stopped after {done:,} of {messages:,} messages.")
            sender.send(record)
            done, last = done + record.is_message, max(last, record.timestamp)
            if look():
                require_free_disk(settings.state)
                progress.show("messages", done, messages)
        sender.flush()
        progress.show("messages", done, messages)
        progress.say(
            f"Sent {done:,} messages and {sender.records - done:,} injected records, "
            f"{sender.bytes / 1e6:,.1f} MB, of {format_epoch_ms(begin)} to {format_epoch_ms(last)}."
        )


def _produce_live(
    settings: Settings, homes: Sequence[Home], sender: Sender, stop: Event, start: datetime | None
) -> None:
    begin, started = _where_to_begin(settings, homes, sender, start), now()
    messages = (
        message
        for message in generate(homes, begin.story, begin.moment)
        if message.timestamp >= begin.sent.get(sender.partition_of(message.key), 0)
    )
    told = takewhile(lambda _: not stop.is_set(), messages)
    records = with_dirt(told, dirt_of(settings), settings.seed)
    look = Every(LOOK_EVERY)
    with ProducerProgress(sender, begin.story.load_factor) as progress:

        def meanwhile(moment: int) -> None:
            if look():
                require_free_disk(settings.state)
                progress.show("history", moment - begin.moment, started - begin.moment)
                if moment >= started:
                    progress.show_live()

        progress.say(_first_line(begin, settings))
        pace = Pace(begin.moment, settings.speed)
        for record in _when_due(records, pace, stop, meanwhile):
            sender.send(record)
        sender.flush()
        progress.say(f"Stopped; {sender.records:,} records are in Kafka.")


def _where_to_begin(
    settings: Settings, homes: Sequence[Home], sender: Sender, start: datetime | None
) -> Beginning:
    moment, history = now(), int(settings.history.total_seconds() * SECOND)
    live_from = moment - moment % HOUR

    @cache
    def busier(live_from: int) -> float:
        return 1.0 if settings.rate is None else load_factor_for(settings.rate, homes, live_from)

    hours_ago = moment - history - (moment - history) % HOUR
    first = to_epoch_ms(start) if start else hours_ago
    fresh = Timeline(settings.seed, first, live_from, busier(live_from))
    return beginning(settings.bootstrap_servers, homes, sender.partition_of, fresh, busier)


def _when_due(
    records: Iterable[Outgoing], pace: Pace, stop: Event, meanwhile: Callable[[int], None]
) -> Iterator[Outgoing]:
    """Yield each record when its time has come; when stopped, only what should be out already."""
    for record in records:
        meanwhile(record.moment)
        while (left := pace.wait(record.moment)) and not stop.wait(min(left, LOOK_EVERY)):
            meanwhile(record.moment)
        if record.timestamp <= now():
            yield record


def _first_line(begin: Beginning, settings: Settings) -> str:
    story, who = begin.story, f"world {settings.seed} of {settings.homes:,} homes"
    if begin.moment == story.start:
        return f"A new story of {who} begins at {format_epoch_ms(story.start)}."
    return f"The story of {who} goes on at {format_epoch_ms(begin.moment)}."
