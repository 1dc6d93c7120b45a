"""The records of ``nest-pipeline-progress``, and the latest progress of each streaming query."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from datetime import datetime, timedelta
from typing import Literal, NamedTuple

import orjson
from kafka import KafkaConsumer
from pydantic import TypeAdapter

from contract.drills import KEY_PREFIX, DrillMark, decode_mark
from contract.instants import from_epoch_ms
from contract.kafka.cluster import Kafka
from contract.kafka.connections import ends_by_partition, open_consumer
from contract.kafka.log_offsets import committed_in_topic
from contract.kafka.topic_reader import TopicReader
from contract.topics import NEST_LOGS, PIPELINE_PROGRESS
from contract.typed_json import decode_json

State = Literal["waiting", "running", "restarting", "stopped"]
"""A query that waits has not started: another one has to come far enough before it."""

LOCATIONS_RULE = "table than NEST_DEVICE_LOCATIONS"
"""The counting rule which table of devices is joined, by its digest; all others are settings. It
follows "another" in a refusal. Files beside the checkpoints have this key, so it stays."""

_SILENCE = timedelta(seconds=45)
"""How long a query that runs may report nothing: several heartbeats, and a start of another one
meanwhile."""


@dataclass(frozen=True)
class QueryProgress:
    """What a query did in its newest micro-batch; key of the record is ``query``.

    A record that tells only of the query's state has the batch of the one before it.
    ``end_offsets`` are the offsets, by partition of nest-logs, up to which (not including) every
    record has been taken in and committed; ``log_end_offsets`` are where nest-logs ended when the
    batch was triggered. ``timestamp`` and ``watermark`` are ISO 8601, UTC.
    """

    query: str
    state: State
    timestamp: str
    batch_id: int = -1
    input_rows: int = 0
    batch_duration_ms: int = 0
    state_rows: int = 0
    rows_dropped_by_watermark: int = 0
    watermark: str | None = None
    offset_lag: int = 0
    """Messages of all partitions that were in nest-logs when the batch was triggered, and are not
    in this batch or an earlier one."""
    end_offsets: dict[int, int] = field(default_factory=dict)
    log_end_offsets: dict[int, int] = field(default_factory=dict)
    reason: str | None = None
    """Why the query is restarting or stopped, where an error was the cause."""
    table: str | None = None
    """The table that the query reads as a stream; None for a query that reads nest-logs."""
    table_id: str | None = None
    end_version: int = -1
    """The version of the table up to which, included, everything has been taken in and committed;
    -1 before that is true of any version."""
    files_outstanding: int = 0
    """Files of the table that the query has not taken in yet, and their bytes."""
    bytes_outstanding: int = 0
    longest_wait_ms: int = 0
    """How long the query may wait before its next batch, by design: for more messages, or for its
    trigger."""
    restarts: int = 0
    """How often the query was started again after it had died or been killed, since the checkpoint
    was made."""
    counting_rules: dict[str, str] = field(default_factory=dict)
    """By which rules the query counts, by setting: a start with a new checkpoint needs the same."""
    query_id: str = ""
    """The id that Spark gave the query at its first start: one with another checkpoint has another.
    """

    @property
    def triggered_at(self) -> datetime:
        """When the batch was triggered, UTC."""
        return datetime.fromisoformat(self.timestamp)

    @property
    def committed_at(self) -> datetime:
        """When the batch was committed, UTC."""
        return self.triggered_at + timedelta(milliseconds=self.batch_duration_ms)

    @property
    def longest_wait(self) -> timedelta:
        """How long the query may wait before its next batch."""
        return timedelta(milliseconds=self.longest_wait_ms)

    def silent_for(self, reported_at: datetime, now: datetime) -> timedelta | None:
        """Return how long a query that runs or waits has been silent; None if not for too long.

        It reports each batch, and every ten seconds meanwhile that it is alive. A process that
        was killed cannot report that, nor one that does not reach Kafka.
        """
        silence = now - reported_at
        return silence if self.state in ("waiting", "running") and silence > _SILENCE else None

    def encode(self) -> tuple[bytes, bytes]:
        """Return the record's key and value."""
        return self.query.encode(), orjson.dumps(asdict(self), option=orjson.OPT_NON_STR_KEYS)


_PROGRESS = TypeAdapter(QueryProgress)


def decode_progress(value: bytes) -> QueryProgress:
    """Read a record's value, of whatever version of the pipeline; ValueError if it is none."""
    try:
        progress = decode_json(_PROGRESS, value)
        if progress.committed_at.tzinfo is None:
            raise ValueError("timestamp: it has no time zone")
        if progress.batch_duration_ms < 0 or progress.longest_wait < timedelta():
            raise ValueError("a duration is below zero")
    except (ValueError, OverflowError) as error:
        raise ValueError(f"not a query's progress: {error}") from None
    return progress


class ProgressReport(NamedTuple):
    """A record of the topic: what it says, when it was written (UTC), and the report before it."""

    progress: QueryProgress
    written_at: datetime
    previous: QueryProgress | None

    @property
    def is_new_batch(self) -> bool:
        """Whether it tells of a batch that the report before it did not tell of.

        A query that begins anew, with another checkpoint, counts its batches anew.
        """
        before, now = self.previous, self.progress
        return before is None or (now.end_offsets, now.batch_id) != (
            before.end_offsets,
            before.batch_id,
        )


READ_BACK = 1000
"""How many progress records to read at first: the newest of each running query is among them."""


class ProgressLog:
    """The latest progress of each query, folded from the compacted topic and read on from there.

    ``read_back`` bounds how many records the first refresh reads; the newest of each running query
    is among the last few. Without it the topic is read from its beginning.
    """

    def __init__(self, read_back: int | None = None) -> None:
        self.latest: dict[str, QueryProgress] = {}
        self.reported_at: dict[str, datetime] = {}
        """When each query last reported anything, by the records' timestamps, UTC."""
        self.drills: dict[bytes, DrillMark] = {}
        """The drills among the records, by key."""
        self._reader = TopicReader(PIPELINE_PROGRESS.name, read_back)

    def refresh(self, consumer: KafkaConsumer) -> list[ProgressReport]:
        """Take in what is new in the topic and return it, oldest first.

        Records of somebody else are passed over. A topic that was created again is read anew.
        """
        reports = []
        for record in self._reader.read_on(consumer, self._start_over):
            with suppress(ValueError):
                if (record.key or b"").startswith(KEY_PREFIX):
                    self.drills[record.key] = decode_mark(record.value or b"")
                    continue
                progress = decode_progress(record.value or b"")
                written_at = from_epoch_ms(record.timestamp)
                previous = self.latest.get(progress.query)
                self.latest[progress.query] = progress
                self.reported_at[progress.query] = written_at
                reports.append(ProgressReport(progress, written_at, previous))
        return reports

    def _start_over(self) -> None:
        self.latest, self.reported_at, self.drills = {}, {}, {}

    def committed_offsets(self, query: str, ends: Mapping[int, int]) -> dict[int, int]:
        """Return the offsets by partition of nest-logs up to which a query has committed.

        ``ends`` are the ends of nest-logs, read after the last refresh. Progress that lies beyond
        them is of an earlier topic, and none.
        """
        progress = self.latest.get(query)
        return committed_in_topic(progress.end_offsets, ends) if progress else {}

    def committed_now(self, consumer: KafkaConsumer, query: str) -> dict[int, int]:
        """Take in what is new and return ``committed_offsets`` for nest-logs as it is now."""
        self.refresh(consumer)
        return self.committed_offsets(query, ends_by_partition(consumer, NEST_LOGS.name))


def newest_progress(kafka: Kafka, *, may_lack_topic: bool = False) -> dict[str, QueryProgress]:
    """Read the newest progress of each query; UserError without a broker or the topic.

    A Kafka that ``may_lack_topic`` has no progress where there is none.
    """
    log = ProgressLog()
    with open_consumer(kafka) as consumer:
        if not may_lack_topic or PIPELINE_PROGRESS.name in consumer.topics():
            log.refresh(consumer)
    return log.latest
