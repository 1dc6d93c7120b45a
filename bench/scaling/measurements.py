"""The measured figures that the arithmetic rests on, each with where it is kept."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from statistics import linear_regression
from typing import NamedTuple

from bench.reporting.results import Results
from bench.scaling.load import HOMES, HomeLoad

_DEVICE_LOCATIONS = Path(__file__).parents[2] / "data" / "device_locations.csv"


class Quoted(NamedTuple):
    """A figure that only a page of docs has, in the words of that page; a test finds them there."""

    value: float
    page: str
    words: str


MESSAGES_A_DAY = Quoted(100_000, "world.md", "about 100,000 messages")
ARCHIVE_BYTES = Quoted(19e6 / 200_000, "performance-experiments.md", "10.6 CPU seconds, 19 MB")
STATE_BYTES = Quoted(250, "performance-experiments.md", "the heap needs 250 bytes for each")
EVICTION_S = Quoted(0.3e-6, "performance-experiments.md", "This takes about 0.3 µs for each")
PARQUET_S = Quoted(
    25e-6, "performance-experiments.md", "Parquet's writer, row by row and column by column | 25 µs"
)
SIGHTINGS_S = Quoted(115e-6, "performance-experiments.md", "| 370 µs per message | 115 µs |")
BROADCAST_S = Quoted(
    2.05e-6, "performance-experiments.md", "million devices that took 2.05 s of a batch"
)
STATUS_BYTES_A_DAY = Quoted(
    1e9 / 2_000, "tables.md", "MERGE writes up to a gigabyte a day for 2,000"
)
READER_BYTES_A_FILE = Quoted(1e3, "tables.md", "such as the dashboard (1 kB a file)")
COMPACTED_FILE_BYTES = Quoted(32e6, "tables.md", "merges the small files into files of about 32 MB")
CHECK_MESSAGES_S = Quoted(8_000, "check.md", "about 8,000 messages a second on one core")
QUOTED = (
    MESSAGES_A_DAY,
    ARCHIVE_BYTES,
    STATE_BYTES,
    EVICTION_S,
    PARQUET_S,
    SIGHTINGS_S,
    BROADCAST_S,
    STATUS_BYTES_A_DAY,
    READER_BYTES_A_FILE,
    COMPACTED_FILE_BYTES,
    CHECK_MESSAGES_S,
)


@dataclass(frozen=True)
class Measurements:
    """What a message, a home, a device and a count cost; the defaults are those of pages."""

    # The load of a home
    messages_s: float
    sightings_s: float
    cameras: float
    device_line_bytes: float
    """Of a line of device_locations."""

    # From bench/results/latest.json
    message_bytes: float
    broker_bytes_s: float
    """What one embedded broker took from one producer: it can take at least as much."""
    live_fixed_cores: float
    """What all queries use with hardly a message."""
    live_s: float
    """Processor time of a message more, with all queries live; no less than in a batch."""
    read_count_s: float
    """Time in which a reader folds one count."""
    machine_cores: int

    # From pages
    messages_a_day: float = MESSAGES_A_DAY.value / HOMES
    archive_bytes: float = ARCHIVE_BYTES.value
    """Of a message, in the table camera."""
    state_bytes: float = STATE_BYTES.value
    """Of a sighting on the heap."""
    eviction_s: float = EVICTION_S.value
    """Processor time for each sighting of the state, in each batch of the counts."""
    parquet_s: float = PARQUET_S.value
    """Processor time for writing a message's rows."""
    sightings_query_s: float = SIGHTINGS_S.value
    """Processor time of the query sightings for a message."""
    broadcast_s: float = BROADCAST_S.value
    """Time for sending a device's line to the tasks."""
    status_bytes_a_day: float = STATUS_BYTES_A_DAY.value
    """What camera_status writes for each camera."""
    reader_bytes_a_file: float = READER_BYTES_A_FILE.value
    compacted_file_bytes: float = COMPACTED_FILE_BYTES.value
    check_messages_s: float = CHECK_MESSAGES_S.value


def measurements(results: Results, load: HomeLoad) -> Measurements:
    """Take the figures from the kept results and the world."""
    lines = _DEVICE_LOCATIONS.read_bytes().splitlines(keepends=True)
    live_s, fixed = _live_cost(results["freshness"])
    batch_s = results["contenders"]["both"]["cpu_s_per_million"] / 1e6
    counts, seconds = max((int(n), s) for n, s in results["growth"]["keys"].items())
    return Measurements(
        messages_s=load.messages_s,
        sightings_s=load.sightings_s,
        cameras=load.cameras,
        device_line_bytes=sum(map(len, lines)) / len(lines),
        message_bytes=results["contenders_run"]["message_bytes"],
        broker_bytes_s=results["producer"]["mb_s"] * 1e6,
        live_fixed_cores=fixed,
        live_s=max(live_s, batch_s),
        read_count_s=seconds / counts,
        machine_cores=results["machine"]["cores"],
    )


def _live_cost(freshness: Mapping[str, Mapping[str, float]]) -> tuple[float, float]:
    """Return the line through the live runs: seconds for a message more, and cores without any."""
    runs = sorted((run["msg_s"], run["cores"]) for run in freshness.values())
    slope, fixed = linear_regression(*zip(*runs, strict=True))
    return slope, max(fixed, 0.0)
