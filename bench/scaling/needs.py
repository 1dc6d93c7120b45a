"""What a number of homes needs, part by part."""

from dataclasses import dataclass
from math import ceil

from bench.scaling.measurements import Measurements
from contract.settings import Settings
from contract.topics import NEST_LOGS

REPLICAS = 3
HEADROOM = 0.6
"""How busy cores, brokers and tasks may be in the busiest hour: a choice, and no measurement."""
PATIENCE = 10
"""How many times as long the triggers of stats and camera_status could be."""
RECORDS_PER_FILE = 20_000
"""Of a large batch of the archive; a small one is one file."""
DAY_S = 86_400
ZIP_CODES = 29_806
"""In use for addresses, by the package zipcodes; an hour has no more counts than these."""


def _default_s(setting: str) -> float:
    return float(Settings.model_fields[setting].default.total_seconds())


WATERMARK_S = _default_s("watermark")
ARCHIVE_TRIGGER_S = _default_s("archive_trigger")
STATS_TRIGGER_S = _default_s("stats_trigger")
STATUS_TRIGGER_S = _default_s("status_trigger")


@dataclass(frozen=True)
class Needs:
    """What a number of homes needs; rates are those of the busiest hour, volumes of a day."""

    homes: int
    measured: Measurements

    @property
    def messages_s(self) -> float:
        """Messages a second."""
        return self.homes * self.measured.messages_s

    @property
    def messages_a_day(self) -> float:
        """Messages a day."""
        return self.homes * self.measured.messages_a_day

    @property
    def ingest_bytes_s(self) -> float:
        """Bytes a second that producers send."""
        return self.messages_s * self.measured.message_bytes

    @property
    def kafka_bytes_a_day(self) -> float:
        """Bytes that a day's messages take on all brokers."""
        return self.messages_a_day * self.measured.message_bytes * REPLICAS

    @property
    def brokers(self) -> int:
        """Brokers, if each takes what one was seen to take, and no more."""
        capacity = self.measured.broker_bytes_s * HEADROOM
        return max(REPLICAS, ceil(self.ingest_bytes_s * REPLICAS / capacity))

    @property
    def partitions(self) -> int:
        """Partitions of nest-logs: the query sightings has one task for each."""
        a_task = HEADROOM / self.measured.sightings_query_s
        return max(NEST_LOGS.partitions, ceil(self.messages_s / a_task))

    @property
    def busy_cores(self) -> float:
        """Cores that all queries together keep busy, but for eviction and the MERGE."""
        return self.measured.live_fixed_cores + self.messages_s * self.measured.live_s

    @property
    def state_sightings(self) -> float:
        """Sightings that the counts remember: those of the watermark."""
        return self.homes * self.measured.sightings_s * WATERMARK_S

    @property
    def state_bytes(self) -> float:
        """Bytes of them on the heap."""
        return self.state_sightings * self.measured.state_bytes

    @property
    def eviction_s(self) -> float:
        """Processor time that each batch of the counts takes to look at all of them."""
        return self.state_sightings * self.measured.eviction_s

    @property
    def eviction_cores(self) -> float:
        """Cores that this keeps busy at the default trigger."""
        return self.eviction_s / STATS_TRIGGER_S

    @property
    def cameras(self) -> float:
        """Cameras: lines of device_locations and rows of camera_status."""
        return self.homes * self.measured.cameras

    @property
    def locations_bytes(self) -> float:
        """Bytes of device_locations as a file."""
        return self.cameras * self.measured.device_line_bytes

    @property
    def broadcast_s(self) -> float:
        """Time in which the table reaches the tasks of a batch if it is broadcast."""
        return self.cameras * self.measured.broadcast_s

    @property
    def archive_files(self) -> float:
        """Files that the archive writes in a day, before they are merged."""
        batches = DAY_S / ARCHIVE_TRIGGER_S
        return batches * ceil(self.messages_a_day / batches / RECORDS_PER_FILE)

    @property
    def archive_bytes(self) -> float:
        """Bytes of the archive's day."""
        return self.messages_a_day * self.measured.archive_bytes

    @property
    def reader_bytes(self) -> float:
        """Memory of a reader with delta-rs for the files of a year, merged."""
        files = 365 * self.archive_bytes / self.measured.compacted_file_bytes
        return files * self.measured.reader_bytes_a_file

    @property
    def status_bytes_a_day(self) -> float:
        """Bytes that camera_status writes in a day."""
        return self.cameras * self.measured.status_bytes_a_day

    @property
    def merge_s(self) -> float:
        """Processor time of a MERGE that writes every row of camera_status anew."""
        return self.homes * self.measured.parquet_s

    @property
    def merge_cores(self) -> float:
        """Cores that this keeps busy at the default trigger."""
        return self.merge_s / STATUS_TRIGGER_S

    @property
    def all_busy_cores(self) -> float:
        """Cores that everything together keeps busy."""
        return self.busy_cores + self.eviction_cores + self.merge_cores

    @property
    def cores(self) -> int:
        """Cores for everything, with headroom."""
        return ceil(self.all_busy_cores / HEADROOM)

    @property
    def patient_cores(self) -> int:
        """The same where counts and camera_status are older, by the factor ``PATIENCE``."""
        busy = self.busy_cores + (self.eviction_cores + self.merge_cores) / PATIENCE
        return ceil(busy / HEADROOM)

    @property
    def counts_a_day(self) -> float:
        """Counts, at most: a zip code for each home, and no more than there are."""
        return min(self.homes, ZIP_CODES) * 24

    @property
    def read_counts_s(self) -> float:
        """Time in which a reader has a day's counts."""
        return self.counts_a_day * self.measured.read_count_s

    @property
    def check_core_s(self) -> float:
        """Processor time in which `nest check` recounts a day."""
        return self.messages_a_day / self.measured.check_messages_s
