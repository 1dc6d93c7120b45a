"""Where the counts keep their state: on disk by RocksDB, or on the heap."""

from pyspark.sql import SparkSession

from contract.kafka.connections import open_consumer, partitions_of
from contract.settings import Settings
from contract.topics import NEST_LOGS

_PROVIDER = "spark.sql.streaming.stateStore.providerClass"
_PACKAGE = "org.apache.spark.sql.execution.streaming.state"
_CLASSES = {
    "heap": f"{_PACKAGE}.HDFSBackedStateStoreProvider",
    "rocksdb": f"{_PACKAGE}.RocksDBStateStoreProvider",
}
LARGE_TOPIC = 2_000_000
"""Messages; their sightings, all in the state of a first batch, fill a third of 1 GB of heap."""


def set_state_store(spark: SparkSession, settings: Settings, *, once: bool) -> None:
    """Set where a query that starts next keeps its state.

    Only a query without a checkpoint takes it: any other goes on with the store that it began with.
    By itself it is the disk, because nobody knows how many homes there will be: 500 messages a
    second fill 1 GB of heap within an hour. The heap is quicker by a twentieth where a query reads
    a topic to its end and the topic is short.
    """
    store = settings.state_store
    if store == "auto":
        store = "heap" if once and _is_short(settings) else "rocksdb"
    spark.conf.set(_PROVIDER, _CLASSES[store])


def _is_short(settings: Settings) -> bool:
    """Tell whether the state of a whole run fits on the heap; not on a cluster's executors."""
    return "://" not in settings.checkpoints and count_messages(settings) <= LARGE_TOPIC


def count_messages(settings: Settings) -> int:
    """Return how many messages nest-logs has now."""
    with open_consumer(settings.kafka) as consumer:
        partitions = partitions_of(consumer, NEST_LOGS.name)
        ends, beginnings = (
            consumer.end_offsets(partitions),
            consumer.beginning_offsets(partitions),
        )
    return sum(ends[each] - beginnings[each] for each in partitions)
