"""A bounded run: the first messages of a timeline, sent without waiting."""

from collections.abc import Callable, Sequence
from datetime import datetime
from itertools import islice

from contract.errors import Interrupted, UserError
from contract.instants import to_epoch_ms
from contract.quantities import format_quantity
from contract.settings import Settings
from producer.dirt import dirt_of, with_dirt
from producer.disk_space import CHECK_EVERY_S, require_free_disk
from producer.possible_start import earliest_start
from producer.progress import ProducerProgress
from producer.replay_clock import now
from producer.sender import Sender
from producer.signals import StopEvent
from producer.throttle import Throttle
from producer.world.instants import format_epoch_ms
from producer.world.messages import generate, start_for
from producer.world.model import Home
from producer.world.timeline import Timeline


def run_bounded(
    settings: Settings,
    homes: Sequence[Home],
    sender: Sender,
    progress: ProducerProgress,
    stop: StopEvent,
    *,
    messages: int,
    start: datetime | None,
) -> None:
    """Send exactly the first so many messages of a timeline that is never live.

    By default it starts at the latest whole hour with which no message is in the future.
    Raises UserError when a message would be too long ago or in the future, when a record is not
    acknowledged, and when the disk is nearly full, and Interrupted when ``stop`` is set.
    """
    latest = now()

    def check(done: int) -> None:
        _require_not_stopped(stop, 0, messages)
        progress.show("finding the start", done, messages)

    first = _first_moment(homes, messages, start, latest, check)
    timeline = Timeline(settings.seed, first)
    generated = islice(generate(homes, timeline), messages)
    sent, last, is_check_due = 0, first, Throttle(CHECK_EVERY_S)
    for record in with_dirt(generated, timeline, dirt_of(settings)):
        if record.timestamp > latest:
            raise _still_to_come(record.timestamp, sent + 1, messages)
        _require_not_stopped(stop, sent, messages)
        sender.send(record)
        sent, last = sent + record.is_message, max(last, record.timestamp)
        if is_check_due():
            require_free_disk(settings.state)
            progress.show("messages", sent, messages)
    sender.flush()
    progress.show("messages", sent, messages)
    progress.say(_summary(sender, sent, first, last))


def _still_to_come(timestamp: int, number: int, messages: int) -> UserError:
    return UserError(
        f"Message {number:,} of {messages:,} would be of {format_epoch_ms(timestamp)}, which is "
        "still to come. Start earlier, or ask for fewer messages."
    )


def _summary(sender: Sender, sent: int, first: int, last: int) -> str:
    return (
        f"Sent {format_quantity(sent, 'message')} and "
        f"{format_quantity(sender.records - sent, 'injected record')}, "
        f"{sender.bytes / 1e6:,.1f} MB, of {format_epoch_ms(first)} to {format_epoch_ms(last)}."
    )


def _require_not_stopped(stop: StopEvent, sent: int, messages: int) -> None:
    if stop.is_set():
        raise Interrupted(f"Stopped after {sent:,} of {messages:,} messages.", stop.signal)


def _first_moment(
    homes: Sequence[Home],
    messages: int,
    start: datetime | None,
    latest: int,
    check: Callable[[int], None],
) -> int:
    """Return where the timeline begins; UserError if nest-logs takes no message from there.

    ``check`` is called now and then while it is looked for.
    """
    earliest = earliest_start()
    first = to_epoch_ms(start) if start else start_for(homes, messages, latest, earliest, check)
    if first < earliest:
        raise UserError(
            f"{messages:,} messages of {len(homes):,} homes begin before "
            f"{format_epoch_ms(earliest)}, and nest-logs takes no message from before that. Ask "
            "for fewer messages or more homes."
        )
    return first
