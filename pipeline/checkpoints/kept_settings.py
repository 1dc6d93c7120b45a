"""Settings that a checkpoint has kept from the first start, so that another value has no effect."""

from collections.abc import Iterator

from pyspark.sql import SparkSession

from contract.queries import Query
from contract.settings import Settings
from pipeline.checkpoints.checkpoint import Checkpoint
from pipeline.checkpoints.first_start import began_by_other_starting_offsets
from pipeline.spark.state_store import PROVIDER, PROVIDER_CLASSES

_SHUFFLE_PARTITIONS = "spark.sql.shuffle.partitions"


def settings_without_effect(spark: SparkSession, settings: Settings) -> Iterator[str]:
    """Yield a sentence for each setting whose value is another one than what a checkpoint kept.

    Raises UserError if a file of the checkpoint of stats is torn.
    """
    kept = Checkpoint(spark, settings, Query.STATS).kept_configuration()
    stores = {provider: store for store, provider in PROVIDER_CLASSES.items()}
    wanted_and_kept = {
        "NEST_STATE_STORE": (settings.state_store, stores.get(kept.get(PROVIDER, ""))),
        "NEST_SHUFFLE_PARTITIONS": (
            str(settings.shuffle_partitions),
            kept.get(_SHUFFLE_PARTITIONS),
        ),
    }
    for name, (wanted, found) in wanted_and_kept.items():
        if found is not None and found != wanted:
            yield (
                f"{name}={wanted} has no effect: the checkpoint of stats was made with {found}. "
                "`nest repair stats` makes it anew."
            )
    if began_by_other_starting_offsets(spark, settings):
        yield (
            f"NEST_STARTING_OFFSETS={settings.starting_offsets} has no effect on a query that has "
            "a checkpoint: it goes on where it stopped."
        )
