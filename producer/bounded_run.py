"""A bounded run: the first messages of a timeline, sent without waiting."""

from collections.abc import Sequence
from datetime import datetime
from itertools import islice

from contract.errors import Interrupted, UserError
from contract.instants import to_epoch_ms
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
    Raises UserError when a message would be too long ago or in the future, when a record cannot be
    delivered, and when the disk is nearly full, and Interrupted when ``stop`` is set.
    """
    latest = now()

    def check(done: int) -> None:
        if stop.is_set():
            raise Interrupted(f"Stopped after 0 of {messages:,} messages.", stop.signal)
        progress.show("finding the start", done, messages)

    earliest = earliest_start()
    first = to_epoch_ms(start) if start else start_for(homes, messages, latest, earliest, check)
    if first < earliest:
        raise UserError(
            f"{messages:,} messages of {len(homes):,} homes begin before "
            f"{format_epoch_ms(earliest)}, and nest-logs takes no message from before that. Ask "
            "for fewer messages or more homes."
        )
    timeline = Timeline(settings.seed, first)
    generated = islice(generate(homes, timeline), messages)
    sent, last, is_check_due = 0, first, Throttle(CHECK_EVERY_S)
    for record in with_dirt(generated, timeline, dirt_of(settings)):
        if record.timestamp > latest:
            raise UserError(
                f"Message {sent + 1:,} of {messages:,} would be of "
                f"{format_epoch_ms(record.timestamp)}, which is still to come. Start earlier, "
                "or ask for fewer messages."
            )
        if stop.is_set():
            raise Interrupted(f"Stopped after {sent:,} of {messages:,} messages.", stop.signal)
        sender.send(record)
        sent, last = sent + record.is_message, max(last, record.timestamp)
        if is_check_due():
            require_free_disk(settings.state)
            progress.show("messages", sent, messages)
    sender.flush()
    progress.show("messages", sent, messages)
    progress.say(
        f"Sent {sent:,} messages and {sender.records - sent:,} injected records, "
        f"{sender.bytes / 1e6:,.1f} MB, of {format_epoch_ms(first)} to {format_epoch_ms(last)}."
    )
