"""What became of an event that was sent: its counts, and the rows of its record."""

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from importlib.util import find_spec
from typing import Any, NamedTuple

from kafka import KafkaConsumer

from contract.counts import Counts
from contract.errors import UserError
from contract.instants import format_hour, format_instant, whole_hour
from contract.lake import CAMERA, QUARANTINE, absolute_location
from contract.settings import Settings
from contract.stats import StatsKey, hour_key
from demo.events.nest_event import NestEvent

_HOUR = timedelta(hours=1)
_LAST_HOUR = datetime.max.replace(tzinfo=UTC) - _HOUR
"""The window of a later start would end after the year 9999."""


class SentEvent(NamedTuple):
    """An event in nest-logs, and where it is there."""

    event: NestEvent
    partition: int
    offset: int
    counts: Counts
    """Are read on when it has been counted."""
    before: Mapping[StatsKey, int]
    """The counts before it was sent."""
    zip_codes: Mapping[str, str]
    """By camera; empty where the device locations cannot be read here."""


def count_lines(settings: Settings, sent: SentEvent, consumer: KafkaConsumer) -> Iterator[str]:
    """Yield a line on the count of each sighting of the event."""
    sent.counts.refresh(consumer)
    sightings = sent.event.sightings()
    if not sightings:
        yield "Count: none changes, because no person was seen."
    for device_id, start in sightings:
        if device_id in sent.zip_codes:
            zip_code = sent.zip_codes[device_id]
            yield count_line(settings, zip_code, start, sent.counts.by_key, sent.before)
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
        f"Count: zip code {zip_code}, {format_hour(hour, hour + _HOUR)} UTC: "
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


def row_lines(settings: Settings, sent: SentEvent) -> Iterator[str]:
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
