"""The newest sightings of nest-sightings, each once."""

from contextlib import suppress
from datetime import UTC, datetime

from kafka import KafkaConsumer, TopicPartition

from contract.instants import from_epoch_ms
from contract.kafka.bounded_read import read_range
from contract.sightings import Sighting, decode_sighting
from contract.topics import SIGHTINGS

MAX_SIGHTINGS = 10
_READ_BACK = 2_000
"""How many records of the topic are read at most at a time; most are re-sends."""
_EVER = datetime.min.replace(tzinfo=UTC)


class LatestSightings:
    """Follows the topic and keeps its newest sightings."""

    def __init__(self, consumer: KafkaConsumer) -> None:
        self._consumer = consumer
        self._partition = TopicPartition(SIGHTINGS.name, 0)
        self._next_offset = 0
        self._newest: list[Sighting] = []
        self.sent_at: dict[Sighting, datetime] = {}
        """When each of the sightings was first written to the topic, UTC; of the newest of them.

        One that is sent again, while its first record was not read or is forgotten, is left out.
        """
        self._complete_since = _EVER
        """The first records of all sightings that began at this moment or later are known."""

    def read(self) -> tuple[Sighting, ...]:
        """Take in what is new in the topic; return the newest sightings, latest start first.

        There are none where the topic does not exist: NEST_SIGHTINGS may be off. A topic that was
        recreated (its end lies before what was read) is read from its beginning.
        """
        if not self._consumer.partitions_for_topic(SIGHTINGS.name):
            return ()
        end = self._consumer.end_offsets([self._partition])[self._partition]
        if end < self._next_offset:
            self._newest, self.sent_at, self._next_offset = [], {}, 0
            self._complete_since = _EVER
        start, expected = max(self._next_offset, end - _READ_BACK), self._next_offset
        found = set(self._newest)
        for record in read_range(self._consumer, {self._partition: start}, {self._partition: end}):
            sent_at = from_epoch_ms(record.timestamp)
            if record.offset > expected:  # those between were not read, or Kafka has removed them
                self._complete_since = sent_at
            expected = record.offset + 1
            with suppress(ValueError):
                sighting = decode_sighting(record.value)
                found.add(sighting)
                if sighting.start_time >= self._complete_since:
                    self.sent_at.setdefault(sighting, sent_at)
        self._next_offset = end
        for sighting in [*self.sent_at][:-_READ_BACK]:
            self._complete_since = max(self._complete_since, self.sent_at.pop(sighting))
        self._newest = sorted(found, key=lambda each: each.start_time, reverse=True)[:MAX_SIGHTINGS]
        return tuple(self._newest)
