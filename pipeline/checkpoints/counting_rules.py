"""The rules that decide which sightings count, and where: the same as when a query began."""

from collections.abc import Mapping

from pyspark.sql import DataFrame, SparkSession

from contract.duration import format_duration
from contract.errors import UserError
from contract.progress import LOCATIONS_RULE, newest_progress
from contract.queries import Query
from contract.settings import Settings
from pipeline.checkpoints.checkpoint import Checkpoint
from pipeline.checkpoints.origin import Origin, read_origin, topic_id
from pipeline.checkpoints.same_origin import require_same_rules, require_same_topic
from pipeline.locations import locations_digest


def require_same_counting_rules(checkpoint: Checkpoint, locations: DataFrame) -> Origin:
    """Return topic, rules and locations as they are; UserError if the query began with others.

    Where only the checkpoint was removed, the counts under the old rules are still in the topic, so
    they are compared all the same. Where nothing is kept, since NEST_CHECKPOINTS is another folder,
    the query's newest progress says by which rules these were made.
    """
    present = _origin(checkpoint.settings, locations)
    if _require_same(checkpoint, present) is None:
        progress = newest_progress(checkpoint.settings.kafka, may_lack_topic=True)
        if of_query := progress.get(checkpoint.query):
            require_same_rules(Origin(present.topic_id, rules=of_query.counting_rules), present)
    return present


def counting_rules(spark: SparkSession, settings: Settings, query: Query) -> Mapping[str, str]:
    """Return the rules that a query that has started counts by; none for one that does not."""
    origin = read_origin(Checkpoint(spark, settings, query))
    return origin.rules if origin else {}


def require_rules_of_counts(spark: SparkSession, settings: Settings, locations: DataFrame) -> None:
    """Raise UserError unless the counts in the topic were made with the rules and locations of now.

    Changes nothing.
    """
    checkpoint = Checkpoint(spark, settings, Query.STATS)
    if not checkpoint.has_begun():
        raise UserError(
            f"There is no checkpoint {checkpoint.uri}, so nobody knows with which rules and device "
            "locations the counts were made. Set NEST_CHECKPOINTS as the pipeline has it."
        )
    _require_same(checkpoint, _origin(settings, locations))


def _origin(settings: Settings, locations: DataFrame) -> Origin:
    rules = {
        "NEST_LATENESS": format_duration(settings.lateness),
        "NEST_CLOCK_SKEW": format_duration(settings.clock_skew),
        LOCATIONS_RULE: locations_digest(locations),
    }
    return Origin(topic_id(settings), rules=rules)


def _require_same(checkpoint: Checkpoint, present: Origin) -> Origin | None:
    """Return what was kept when the query began; UserError if that is not what is there."""
    if checkpoint.has_begun():
        checkpoint.newest_batches()  # a torn checkpoint is said first
    if kept := read_origin(checkpoint):
        require_same_topic(checkpoint.query, kept, present, checkpoint.settings)
        require_same_rules(kept, present)
    return kept
