"""The right results, recounted from the topic in plain Python."""

from collections import Counter
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from check.locations import read_locations
from check.rules.expected_record import expected_record
from check.rules.instants import HOUR, micros
from check.sightings import Sightings, outcome_of
from check.topics import CountKey, fold_counts
from contract.kafka.bounded_read import read_range
from contract.kafka.connections import open_consumer, partitions_of
from contract.settings import Settings
from contract.topics import NEST_LOGS

_FLUSH_EVERY = 10_000

Counts = dict[CountKey, int]
"""By zip code and hour."""


@dataclass(frozen=True)
class Expected:
    """What the topic holds, and the counts that follow from it."""

    records: int
    bytes: int
    cameras: int
    """Rows that the archive must have."""
    sighting_counts: Counts
    """Counts of distinct sightings on time; unplaced ones are under zip code ``unknown``."""
    row_counts: Counts
    """Counts as in the published job: every row with a person, if the device has a location."""


def recount(settings: Settings) -> Expected:
    """Read nest-logs once; the check's own code says what each record holds."""
    clock_skew = micros(settings.clock_skew)
    lateness = micros(settings.lateness)
    records = size = cameras = 0
    rows: Counter[tuple[str, int]] = Counter()
    with (
        open_consumer(settings.bootstrap_servers) as consumer,
        TemporaryDirectory(prefix="bench-recount-") as folder,
        closing(Sightings(Path(folder))) as sightings,
    ):
        partitions = partitions_of(consumer, NEST_LOGS.name)
        start, end = consumer.beginning_offsets(partitions), consumer.end_offsets(partitions)
        for record in read_range(consumer, start, end):
            timestamp = record.timestamp * 1000
            found = expected_record(record.value, timestamp, clock_skew)
            records, size = records + 1, size + len(record.value or b"")
            cameras += len(found.archive_rows)
            for device_id, begin in found.sightings:
                rows[device_id, begin - begin % HOUR] += 1
                outcome = outcome_of(timestamp, begin, clock_skew, lateness)
                sightings.add(device_id, begin, outcome, True)
            if records % _FLUSH_EVERY == 0:
                sightings.flush()
        sightings.flush()
        places = dict(read_locations(settings.device_locations))
        sightings.add_locations(places.items())
        counts = {(zip_code, at, at + HOUR): n for zip_code, at, n, _ in sightings.hour_counts()}
    by_place: Counter[CountKey] = Counter()
    for (device_id, hour), number in rows.items():
        if device_id in places:
            by_place[places[device_id], hour, hour + HOUR] += number
    return Expected(records, size, cameras, counts, dict(by_place))


def counts_in_topic(settings: Settings) -> Counts:
    """Return the latest count per key of nest-camera-stats."""
    with open_consumer(settings.bootstrap_servers) as consumer:
        return fold_counts(consumer).by_key
