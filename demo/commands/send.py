"""`nest send`: send one event, and watch its row and its count come."""

from collections.abc import Mapping

from contract.counts import read_counts
from contract.duration import format_duration
from contract.errors import UserError
from contract.kafka.connections import ends_by_partition, open_consumer
from contract.kafka.sending import send_records
from contract.polling import poll_until
from contract.print_line import PrintLine
from contract.progress import READ_BACK, ProgressLog
from contract.queries import BATCHED_FROM_NEST_LOGS, Query
from contract.settings import Settings
from contract.stats import UNPLACED
from contract.topics import NEST_LOGS
from demo.commands.event_outcome import SentEvent, count_lines, row_lines
from demo.events.nest_event import NestEvent
from demo.tables.known_cameras import zip_codes_of

WITHIN_S = 120.0
"""How long the row and the count may take; the archive may wait 60 s for more messages."""
_KAFKA_S = 10.0
_MOST_BYTES = 1_000_000


def send_event(settings: Settings, event: NestEvent, say: PrintLine) -> SentEvent:
    """Send an event, stamped now; UserError if it does not arrive."""
    value, kafka = event.value, settings.kafka
    counts = read_counts(kafka)
    if len(value) > _MOST_BYTES:
        raise UserError(f"The event has {len(value):,} bytes, and Kafka takes {_MOST_BYTES:,}.")
    zip_codes: Mapping[str, str] = {}
    try:
        zip_codes = zip_codes_of(settings.device_locations, event.device_ids())
    except UserError as error:
        say(f"{error} So the count is not shown.")
    for device_id, zip_code in zip_codes.items():
        if zip_code == UNPLACED:
            say(unplaced_line(settings, device_id))
    (sent,) = send_records(kafka, NEST_LOGS.name, [(event.key, value)], wait_s=_KAFKA_S)
    say(f"Sent to {NEST_LOGS.name}: partition {sent.partition}, offset {sent.offset}.")
    return SentEvent(event, sent.partition, sent.offset, counts, dict(counts.by_key), zip_codes)


def unplaced_line(settings: Settings, device_id: str) -> str:
    """Return a line on a camera that has no zip code."""
    return (
        f"NEST_DEVICE_LOCATIONS={settings.device_locations} has no zip code of camera "
        f"{device_id!r}: what it sees counts under {UNPLACED}."
    )


def watch(settings: Settings, sent: SentEvent, say: PrintLine, within: float = WITHIN_S) -> None:
    """Say what becomes of an event that was sent: its count and its rows, as they come.

    Where no pipeline runs, that is said, and nothing is waited for. Raises UserError when something
    has not come ``within`` so many seconds.
    """
    progress = ProgressLog(READ_BACK)
    awaited = [*BATCHED_FROM_NEST_LOGS]

    def has_all_come() -> bool:
        progress.refresh(consumer)
        ends = ends_by_partition(consumer, NEST_LOGS.name)
        for query in list(awaited):
            if progress.committed_offsets(query, ends).get(sent.partition, 0) > sent.offset:
                awaited.remove(query)
                lines = (
                    count_lines(settings, sent, consumer)
                    if query == Query.STATS
                    else row_lines(settings, sent)
                )
                for line in lines:
                    say(line)
        return not awaited

    with open_consumer(settings.kafka) as consumer:
        progress.refresh(consumer)
        latest = [progress.latest[query] for query in awaited if query in progress.latest]
        if all(each.state == "stopped" for each in latest):
            say("No pipeline is running: `nest pipeline` archives and counts the event later.")
            return
        delay = format_duration(settings.archive_interval)
        say(
            f"Waiting for its count and its row, {within:g} s at most. The archive waits up to "
            f"{delay} for more messages (NEST_ARCHIVE_MAX_DELAY)."
        )
        try:
            poll_until(has_all_come, "the event", within, interval=0.2)
        except TimeoutError:
            raise UserError(
                f"{' and '.join(awaited)} did not come to the event within {within:g} s. It is in "
                "Kafka, so nothing is lost. `nest ready` says how each query does."
            ) from None
