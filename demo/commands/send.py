"""`nest send`: send one event, and watch its row and its count come."""

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from importlib.util import find_spec
from typing import Any, NamedTuple

from kafka import KafkaConsumer

from contract.counts import Counts
from contract.duration import format_duration
from contract.errors import UserError
from contract.instants import format_instant, whole_hour
from contract.kafka.connections import ends_by_partition, open_consumer
from contract.kafka.sending import send_records
from contract.lake import CAMERA, QUARANTINE, absolute_location
from contract.polling import poll_until
from contract.print_line import PrintLine
from contract.progress import READ_BACK, ProgressLog
from contract.queries import BATCHED_FROM_NEST_LOGS, Query
from contract.settings import Settings
from contract.stats import UNPLACED, StatsKey, hour_key
from contract.topics import NEST_LOGS
from demo.events.nest_event import NestEvent
from demo.tables.known_cameras import zip_codes_of

WITHIN_S = 120.0
"""How long the row and the count may take; the archive may wait 60 s for more messages."""
_KAFKA_S = 10.0
_HOUR = timedelta(hours=1)
_LAST_HOUR = datetime.max.replace(tzinfo=UTC) - _HOUR
"""The window of a later start would end after the year 9999."""
_MOST_BYTES = 1_000_000


class SentEvent(NamedTuple):
    """An event in nest-logs, where it is there, and the counts from before."""

    event: NestEvent
    partition: int
    offset: int
    counts: Counts
    zip_codes: Mapping[str, str]
    """By camera; empty where the device locations cannot be read here."""


def send_event(settings: Settings, event: NestEvent, say: PrintLine) -> SentEvent:
    """Send an event, stamped now; UserError if it does not arrive."""
    value, kafka = event.value, settings.kafka
    counts = Counts()
    with open_consumer(kafka) as consumer:
        counts.refresh(consumer)
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
    return SentEvent(event, sent.partition, sent.offset, counts, zip_codes)


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
                    _counted(settings, sent, consumer)
                    if query == Query.STATS
                    else _archived(settings, sent)
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


def _counted(settings: Settings, sent: SentEvent, consumer: KafkaConsumer) -> Iterator[str]:
    """Yield a line on the count of each sighting of the event."""
    counts, before = sent.counts, dict(sent.counts.by_key)
    counts.refresh(consumer)
    sightings = sent.event.sightings()
    if not sightings:
        yield "Count: none changes, because no person was seen."
    for device_id, start in sightings:
        if device_id in sent.zip_codes:
            zip_code = sent.zip_codes[device_id]
            yield count_line(settings, zip_code, start, counts.by_key, before)
        else:
            yield f"Count: the zip code of camera {device_id!r} is not known here."


def count_line(
    settings: Settings,
    zip_code: str,
    start: datetime,
    by_key: Mapping[StatsKey, int],
    before: Mapping[StatsKey, int],
) -> str:
    """Return a line on the count of a sighting, and on why it is as ``before``."""
    if start > _LAST_HOUR:
        return f"Count: none changes. {_why_not(settings, start)}"
    hour = whole_hour(start)
    key = hour_key(zip_code, hour)
    now, then = by_key.get(key, 0), before.get(key, 0)
    text = (
        f"Count: zip code {zip_code}, {hour:%Y-%m-%d %H:%M} to {hour + _HOUR:%H:%M} UTC: "
        f"{now:,} seen, {then:,} before."
    )
    return text if now != then else f"{text} {_why_not(settings, start)}"


def _why_not(settings: Settings, start: datetime) -> str:
    """Say why a sighting that was sent just now may have changed no count."""
    age = datetime.now(UTC) - start
    if age > settings.lateness:
        return "It is too late: it began longer ago than NEST_LATENESS allows."
    if -age > settings.clock_skew:
        return "It is from the future, by more than NEST_CLOCK_SKEW allows."
    return "The same sighting was counted before."


def _archived(settings: Settings, sent: SentEvent) -> Iterator[str]:
    """Yield a line on each row that the record has become."""
    if not find_spec("deltalake"):
        yield "Archive: the record is in the lake, which this installation cannot read."
        return
    try:
        cameras, rejections = (_rows(settings, table, sent) for table in (CAMERA, QUARANTINE))
    except UserError as error:
        yield f"Archive: {error}"
        return
    for camera in cameras:
        event = camera["last_event"] or {}
        start = event.get("start_time")
        seen = f"person {'yes' if event.get('has_person') else 'no'}"
        when = f", {format_instant(start)}" if start else ""
        yield f"Archive: row of camera {camera['device_id']}: {seen}{when}."
    for rejection in rejections:
        yield f"Quarantine: {rejection['reason']}: {rejection['detail']}."
    if not cameras and not rejections:
        yield f"Archive: no row of the record is in {absolute_location(settings.lake)}."


def _rows(settings: Settings, table: str, sent: SentEvent) -> list[dict[str, Any]]:
    """Return the rows that the record has become; UserError if the table cannot be read."""
    import pyarrow.dataset as ds
    from deltalake.exceptions import DeltaError

    from contract.arrow_filesystems import table_filesystem
    from demo.tables.lake_tables import open_table, reason_of

    is_record = (ds.field("partition") == sent.partition) & (ds.field("offset") == sent.offset)
    try:
        opened = open_table(settings, table)
        dataset = opened.to_pyarrow_dataset(filesystem=table_filesystem(opened.table_uri))
        rows: list[dict[str, Any]] = dataset.to_table(filter=is_record).to_pylist()
    except (DeltaError, OSError) as error:
        raise UserError(f"The table {table} cannot be read: {reason_of(error)}.") from None
    return rows
