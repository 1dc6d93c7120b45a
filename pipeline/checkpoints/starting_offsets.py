"""Where in nest-logs a query without a checkpoint begins, as NEST_STARTING_OFFSETS says."""

import json
from collections.abc import Collection, Mapping

from kafka import KafkaConsumer
from pyspark.sql import SparkSession

from contract.errors import UserError
from contract.kafka.connections import open_consumer, partitions_of
from contract.settings import Settings
from contract.topics import NEST_LOGS
from pipeline.checkpoints.first_start import keep_first_start, read_first_start

_LATEST, _EARLIEST = -1, -2
"""What an offset in NEST_STARTING_OFFSETS may be instead of a position."""


def with_common_start(spark: SparkSession, settings: Settings) -> Settings:
    """Return the settings with an offset for each partition, which is the same for all queries.

    Spark takes ``latest`` anew for each query, when its first batch begins. The archive begins
    after the first batch of the counts, or after a restart: what came between would be counted and
    never archived. So the first start keeps its offsets for the queries that begin later.
    """
    if settings.starting_offsets == "earliest":
        return settings
    kept = read_first_start(spark, settings)
    starting = _resolved(settings, kept or settings.starting_offsets)
    if kept is None:
        keep_first_start(spark, settings, starting)
    return settings.model_copy(update={"starting_offsets": starting})


def offsets_of_first_start(spark: SparkSession, settings: Settings) -> str:
    """Return where in nest-logs the pipeline began; ``earliest`` where nobody knows."""
    kept = read_first_start(spark, settings)
    return "earliest" if kept is None else _resolved(settings, kept)


def _resolved(settings: Settings, starting: str) -> str:
    """Return a starting position with an offset that is there for each partition."""
    with open_consumer(settings.kafka) as consumer:
        first = first_offsets(consumer, starting)
    return offsets_json(first)


def with_added_partitions(settings: Settings, offsets: str) -> str:
    """Return offsets, as NEST_STARTING_OFFSETS has them, with the partitions that were added since.

    Spark refuses to begin where a partition is not named.
    """
    with open_consumer(settings.kafka) as consumer:
        partitions = partitions_of(consumer, NEST_LOGS.name)
    named = {str(tp.partition): _EARLIEST for tp in partitions}
    return offsets_json(named | json.loads(offsets)[NEST_LOGS.name])


def offsets_json(by_partition: Mapping[int, int] | Mapping[str, int]) -> str:
    """Return offsets of nest-logs as NEST_STARTING_OFFSETS and Spark have them."""
    return json.dumps({NEST_LOGS.name: by_partition}, sort_keys=True)


def require_start_at_first_message(settings: Settings) -> None:
    """Raise UserError where the next start would make nothing of what is in nest-logs by now."""
    if settings.starting_offsets != "earliest":
        raise UserError(
            f"NEST_STARTING_OFFSETS={settings.starting_offsets}: the next start would begin there, "
            "and make nothing again of the messages before. Set it to earliest. To delete what was "
            "made of them all the same, add --force."
        )


def first_offsets(consumer: KafkaConsumer, starting: str) -> dict[int, int]:
    """Return by partition of nest-logs the offset of the first message that a query reads.

    ``starting`` is written as NEST_STARTING_OFFSETS.
    """
    partitions = partitions_of(consumer, NEST_LOGS.name)
    beginnings = consumer.beginning_offsets(partitions)
    ends = consumer.end_offsets(partitions)
    if starting == "earliest":
        named = {}
    elif starting == "latest":
        named = {str(tp.partition): _LATEST for tp in partitions}
    else:
        named = json.loads(starting)[NEST_LOGS.name]
        _require_partitions(named, {str(tp.partition) for tp in partitions})
    found = {}
    for tp in partitions:
        offset = named.get(str(tp.partition), _EARLIEST)
        found[tp.partition] = ends[tp] if offset == _LATEST else max(beginnings[tp], offset)
    return found


def _require_partitions(named: Collection[str], there: Collection[str]) -> None:
    if unknown := sorted(set(named) - set(there), key=int):
        raise UserError(
            f"NEST_STARTING_OFFSETS names partition {unknown[0]}, and {NEST_LOGS.name} has the "
            f"partitions {', '.join(sorted(there, key=int))}."
        )
