"""A live run: the history as fast as it may go, then each message at its time, until stopped."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from functools import cache
from itertools import takewhile
from threading import Event

from contract.instants import to_epoch_ms
from contract.settings import Settings
from producer.dirt import dirt_of, with_dirt
from producer.disk_space import CHECK_EVERY_S, require_free_disk
from producer.progress import ProducerProgress
from producer.record import OutgoingRecord
from producer.replay_clock import ReplayClock, now
from producer.resume import ResumePoint, find_resume_point
from producer.sender import Sender
from producer.throttle import Throttle
from producer.world.instants import format_epoch_ms
from producer.world.message_rate import load_factor_for
from producer.world.messages import generate
from producer.world.model import Home
from producer.world.time_units import HOUR, SECOND
from producer.world.timeline import Timeline

READY_TEXT = "timeline of world"
"""What a live run prints when it is about to send, and only then."""


def run_live(
    settings: Settings,
    homes: Sequence[Home],
    sender: Sender,
    progress: ProducerProgress,
    stop: Event,
    *,
    start: datetime | None,
) -> None:
    """Send the history, from ``start`` or from where an earlier run ended, then live messages.

    It returns when ``stop`` is set, after a flush. Raises UserError when a record is not
    acknowledged and when the disk is nearly full.
    """
    point, started = _resume_point(settings, homes, sender, start), now()
    timeline = point.timeline
    unsent = (
        message
        for message in generate(homes, timeline, point.moment)
        if message.timestamp >= point.sent.get(sender.partition_of(message.key), 0)
    )
    until_stopped = takewhile(lambda _: not stop.is_set(), unsent)
    records = with_dirt(until_stopped, timeline, dirt_of(settings))
    is_check_due = Throttle(CHECK_EVERY_S)

    def check(moment: int) -> None:
        if is_check_due():
            require_free_disk(settings.state)
            progress.show("history", moment - point.moment, started - point.moment)
            if moment >= started:
                progress.show_live(timeline.load_factor)

    progress.say(_first_line(point, settings))
    clock = ReplayClock(point.moment, settings.speed)
    for record in _when_due(records, clock, stop, check):
        sender.send(record)
    sender.flush()
    progress.say(f"Stopped; records in Kafka: {sender.records:,}.")


def _resume_point(
    settings: Settings, homes: Sequence[Home], sender: Sender, start: datetime | None
) -> ResumePoint:
    """Return where to go on; a new timeline would go live at the hour that has just begun."""
    moment, history = now(), int(settings.history.total_seconds() * SECOND)
    live_from = moment - moment % HOUR

    @cache
    def load_factor_at(live_from: int) -> float:
        return 1.0 if settings.rate is None else load_factor_for(settings.rate, homes, live_from)

    begin_of_history = moment - history - (moment - history) % HOUR
    first = to_epoch_ms(start) if start else begin_of_history
    new = Timeline(settings.seed, first, live_from, load_factor_at(live_from))
    return find_resume_point(settings.kafka, homes, sender.partition_of, new, load_factor_at)


def _when_due(
    records: Iterable[OutgoingRecord],
    clock: ReplayClock,
    stop: Event,
    check: Callable[[int], None],
) -> Iterator[OutgoingRecord]:
    """Yield each record when it is due; after a stop, only those whose timestamp has passed.

    ``check`` is called with the moment of the record that is next, also while it has to wait.
    """
    for record in records:
        check(record.send_at)
        while (left := clock.seconds_until(record.send_at)) and not stop.wait(
            min(left, CHECK_EVERY_S)
        ):
            check(record.send_at)
        if record.timestamp <= now():
            yield record


def _first_line(point: ResumePoint, settings: Settings) -> str:
    of_world = f"{READY_TEXT} {settings.seed} of {settings.homes:,} homes"
    moment = format_epoch_ms(point.moment)
    if point.new_because:
        return f"A new {of_world} begins at {moment}: {point.new_because}."
    return f"The {of_world} goes on at {moment}."
