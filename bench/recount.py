"""What every contender's results must be, recounted from the topic in plain Python."""

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
from contract.bounded_read import read_range
from contract.connections import open_consumer, partitions_of
from contract.settings import Settings
from contract.topics import NEST_LOGS

_FLUSH_EVERY = 10_000

Counts = dict[CountKey, int]
"""By zip code and hour."""


@dataclass(frozen=True)
class Expected:
    """The recount of the topic: what it holds and what the counts of it are."""

    records: int
    bytes: int
    cameras: int
    """Rows that the archive must have."""
    sightings: Counts
    """As the design has it: distinct, on time, without a known place ``unknown``."""
    rows: Counts
    """As the published job has it: every row that saw a person, where the device has a place."""


def recount(settings: Settings) -> Expected:
    """Walk nest-logs once, with the check's own rules for what a record must become."""
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
