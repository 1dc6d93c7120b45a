"""Where the counts keep their state: on the heap, or on disk by RocksDB."""

from pyspark.sql import SparkSession

from contract.connections import open_consumer, partitions_of
from contract.settings import Settings
from contract.topics import NEST_LOGS

_PROVIDER = "spark.sql.streaming.stateStore.providerClass"
_PACKAGE = "org.apache.spark.sql.execution.streaming.state"
_CLASSES = {
    "heap": f"{_PACKAGE}.HDFSBackedStateStoreProvider",
    "rocksdb": f"{_PACKAGE}.RocksDBStateStoreProvider",
}
LARGE_TOPIC = 2_000_000
"""Messages; their sightings, all in the state of a first batch, fill a third of 1 GB of heap.

The heap is a tenth faster over a whole topic. Live there is no difference. In production: RocksDB.
"""


def set_state_store(spark: SparkSession, settings: Settings) -> None:
    """Set where a query that starts next keeps its state.

    Only a query without a checkpoint takes it: any other goes on with the store that it began with.
    """
    store = settings.state_store
    if store == "auto":
        # Off the laptop nobody knows how many homes there will be.
        is_large = "://" in settings.checkpoints or count_messages(settings) > LARGE_TOPIC
        store = "rocksdb" if is_large else "heap"
    spark.conf.set(_PROVIDER, _CLASSES[store])


def count_messages(settings: Settings) -> int:
    """Return how many messages nest-logs has now."""
    with open_consumer(settings.kafka) as consumer:
        partitions = partitions_of(consumer, NEST_LOGS.name)
        ends, beginnings = (
            consumer.end_offsets(partitions),
            consumer.beginning_offsets(partitions),
        )
    return sum(ends[each] - beginnings[each] for each in partitions)
