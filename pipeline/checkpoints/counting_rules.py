"""The rules that decide which sightings count, and where: the same as when a query began."""

from pyspark.sql import DataFrame, SparkSession

from contract.duration import format_duration
from contract.errors import UserError
from contract.queries import Query
from contract.settings import Settings
from pipeline.checkpoints.checkpoint import (
    checkpoint_uri,
    has_checkpoint,
    newest_batches,
)
from pipeline.checkpoints.origin import Origin, keep_origin, read_origin, topic_id
from pipeline.checkpoints.same_origin import require_same_rules, require_same_topic
from pipeline.locations import locations_digest

_LOCATIONS = "table than NEST_DEVICE_LOCATIONS"


def require_same_counting_rules(
    spark: SparkSession, settings: Settings, query: Query, locations: DataFrame
) -> None:
    """Raise UserError if the query began with another topic, other rules or other locations.

    Keeps them beside the checkpoint of a query that begins. Where only the checkpoint was removed,
    the counts under the old rules are still in the topic, so they are compared all the same.
    """
    now = _origin(settings, locations)
    _require_same(spark, settings, query, now)
    keep_origin(spark, settings, query, now)


def require_rules_of_counts(spark: SparkSession, settings: Settings, locations: DataFrame) -> None:
    """Raise UserError unless the counts in the topic were made with the rules and locations of now.

    Changes nothing.
    """
    if not has_checkpoint(spark, settings, Query.STATS):
        raise UserError(
            f"There is no checkpoint {checkpoint_uri(settings, Query.STATS)}, so nobody knows with "
            "which rules and device locations the counts were made. Set NEST_CHECKPOINTS as the "
            "pipeline has it."
        )
    _require_same(spark, settings, Query.STATS, _origin(settings, locations))


def _origin(settings: Settings, locations: DataFrame) -> Origin:
    rules = {
        "NEST_LATENESS": format_duration(settings.lateness),
        "NEST_CLOCK_SKEW": format_duration(settings.clock_skew),
        _LOCATIONS: locations_digest(locations),
    }
    return Origin(topic_id(settings), rules=rules)


def _require_same(spark: SparkSession, settings: Settings, query: Query, now: Origin) -> None:
    if has_checkpoint(spark, settings, query):
        newest_batches(spark, settings, query)  # a torn checkpoint is said first
    if kept := read_origin(spark, settings, query):
        require_same_topic(query, kept, now, settings)
        require_same_rules(kept, now)
