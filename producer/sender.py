"""Send records to nest-logs: idempotent, acknowledged by all replicas, keyed by structure_id."""

from collections import deque
from contextlib import suppress
from functools import partial
from typing import NamedTuple

from kafka.errors import KafkaError, UnknownError
from kafka.future import Future
from kafka.partitioner import murmur2

from contract.errors import UserError
from contract.kafka.acls import PRODUCER, topic_operations
from contract.kafka.client_errors import connection_error
from contract.kafka.cluster import Kafka
from contract.kafka.connections import new_producer, require_topic
from contract.kafka.rights import require_rights
from contract.kafka.sending import unacknowledged_sentence
from contract.topics import NEST_LOGS
from producer.record import OutgoingRecord
from producer.world.instants import format_epoch_ms

LINGER_MS = 5
BATCH_BYTES = 1 << 20
"""Large: kafka-python wakes its sender for each record while more than one batch waits."""
MAX_BLOCK_MS = 10_000
"""How long the broker may take to say which partitions nest-logs has."""
MAX_IN_FLIGHT = 2_000
"""Most records that wait for an acknowledgement: kafka-python sets no bound to its memory.

These are about two batches for each of four partitions: with more, more batches wait."""
STRIDE = 500
"""The future of every so many records is kept to wait for."""


class Sender:
    """A Kafka producer that reports the first record that is not acknowledged.

    ``records``, ``bytes`` and ``errors`` count what was handed over and what failed.
    Raises UserError when no broker answers or there is no topic nest-logs.
    """

    def __init__(self, kafka: Kafka) -> None:
        self.records = self.bytes = self.errors = 0
        self._failure: _Failure | None = None
        self._in_flight: deque[Future] = deque()
        self._partition_of: dict[bytes, int] = {}
        require_rights(kafka, topic_operations(PRODUCER))
        self._producer = new_producer(
            kafka,
            enable_idempotence=True,
            acks="all",
            linger_ms=LINGER_MS,
            batch_size=BATCH_BYTES,
            max_request_size=4 << 20,
            max_block_ms=MAX_BLOCK_MS,
            allow_auto_create_topics=False,
            metrics_enabled=False,
        )
        try:
            self._partitions = require_topic(self._producer, NEST_LOGS.name)
        except (UserError, KafkaError) as error:
            self._producer.close(timeout=1)
            if isinstance(error, UserError):
                raise
            raise connection_error(kafka, error) from None

    def partition_of(self, key: bytes) -> int:
        """Return the partition of a key, the one that Kafka's own clients choose for it."""
        partition = self._partition_of.get(key)
        if partition is None:  # hashing in Python is slow, and a home always has the same key
            index = (murmur2(key) & 0x7FFFFFFF) % len(self._partitions)
            partition = self._partition_of[key] = self._partitions[index]
        return partition

    def send(self, record: OutgoingRecord) -> None:
        """Hand a record over; it is sent soon, in order within its partition.

        Raises UserError as soon as any record is known to have failed.
        """
        if self._failure:
            self.flush()
        partition = self.partition_of(record.key)
        try:
            future = self._producer.send(
                NEST_LOGS.name,
                record.value,
                record.key,
                record.headers,
                partition,
                record.timestamp,
            )
        except KafkaError as error:
            raise UserError(str(_Failure(record, partition, error))) from None
        future.add_errback(partial(self._failed, record, partition))
        self.records += 1
        self.bytes += len(record.value or b"")
        if self.records % STRIDE == 0:
            self._in_flight.append(future)
            if len(self._in_flight) > MAX_IN_FLIGHT // STRIDE:
                with suppress(KafkaError):  # the errback above reports it, with its record
                    self._in_flight.popleft().get()

    def flush(self) -> None:
        """Wait until every record is acknowledged.

        Raises UserError, with the record, if one is not.
        """
        while True:
            try:
                self._producer.flush()
                break
            except UnknownError:  # kafka-python raises it when it had to split a batch
                continue
            except KafkaError as error:
                raise UserError(unacknowledged_sentence("A record for nest-logs", error)) from None
        if self._failure:
            raise UserError(str(self._failure))

    def close(self) -> None:
        """Close the connection; records that are not flushed have five seconds."""
        with suppress(KafkaError):  # flush reports errors
            self._producer.close(timeout=5)

    def _failed(self, record: OutgoingRecord, partition: int, error: KafkaError) -> None:
        self.errors += 1
        # A batch fails as a whole: its other records fail with a plain KafkaError.
        if self._failure is None or type(self._failure.error) is KafkaError:
            self._failure = _Failure(record, partition, error)


class _Failure(NamedTuple):
    record: OutgoingRecord
    partition: int
    error: KafkaError

    def __str__(self) -> str:
        key, moment = self.record.key.decode(), format_epoch_ms(self.record.timestamp)
        record = (
            f"A record for {NEST_LOGS.name}, partition {self.partition}, key {key}, "
            f"timestamp {moment},"
        )
        return (
            f"{unacknowledged_sentence(record, self.error)}. Is the broker up, and are the topic's "
            "settings those that `nest topics` verifies?"
        )
