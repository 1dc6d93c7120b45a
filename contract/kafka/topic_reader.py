"""Reading on in a topic: each read gives what has come since the last one."""

from collections.abc import Callable, Iterator

from kafka import KafkaConsumer, TopicPartition
from kafka.consumer.fetcher import ConsumerRecord

from contract.kafka.bounded_read import read_range
from contract.kafka.connections import partitions_of


class TopicReader:
    """Where a reader of a topic goes on.

    The first read begins at the topic's beginning, or at most ``read_back`` records before the end
    of each partition.
    """

    def __init__(self, topic: str, read_back: int | None = None) -> None:
        self._topic = topic
        self._read_back = read_back
        self.next_offsets: dict[TopicPartition, int] = {}
        """Where the next read begins; empty before the first one."""

    def read_on(
        self, consumer: KafkaConsumer, start_over: Callable[[], None]
    ) -> Iterator[ConsumerRecord]:
        """Yield the records added since the last read, up to the topic's end now.

        If the topic was created again (its end lies before what was read), ``start_over`` is called
        and all records are yielded. One that is as long by now is not noticed. After a read that
        was abandoned midway, the next one goes on with the record after the last one that was
        yielded.
        """
        partitions = partitions_of(consumer, self._topic)
        start, end = consumer.beginning_offsets(partitions), consumer.end_offsets(partitions)
        if any(end[tp] < self.next_offsets.get(tp, 0) for tp in partitions):
            start_over()
            self.next_offsets = {}
        back = self._read_back if not self.next_offsets else None
        for tp in partitions:
            first = self.next_offsets.get(tp, 0) if back is None else end[tp] - back
            start[tp] = max(start[tp], first)
        self.next_offsets = start
        for record in read_range(consumer, dict(start), end):
            self.next_offsets[TopicPartition(record.topic, record.partition)] = record.offset + 1
            yield record
        self.next_offsets = dict(end)
