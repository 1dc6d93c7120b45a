"""Where the counts keep their state: on disk by RocksDB, or on the heap."""

from pyspark.sql import SparkSession

from contract.settings import Settings

PROVIDER = "spark.sql.streaming.stateStore.providerClass"
"""Spark's setting of the store; a checkpoint keeps its value."""
_PACKAGE = "org.apache.spark.sql.execution.streaming.state"
PROVIDER_CLASSES = {
    "heap": f"{_PACKAGE}.HDFSBackedStateStoreProvider",
    "rocksdb": f"{_PACKAGE}.RocksDBStateStoreProvider",
}


def set_state_store(spark: SparkSession, settings: Settings) -> None:
    """Set where a query that starts next keeps its state.

    Only a query without a checkpoint takes it: any other goes on with the store that it began with.
    So the default is the disk, also for a first run that reads a short topic to its end: later the
    same checkpoint may have 500 messages a second, which fill 1 GB of heap within an hour.
    """
    spark.conf.set(PROVIDER, PROVIDER_CLASSES[settings.state_store])
