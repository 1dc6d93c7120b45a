"""A drill that lets Kafka's cleaner work on nest-camera-stats while the report is made."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from kafka.admin import ConfigResource, ConfigResourceType

from contract.counts import Counts, read_counts
from contract.errors import UserError
from contract.kafka.bounded_read import records_in_topic
from contract.kafka.cluster import Kafka
from contract.kafka.connections import open_admin, open_consumer
from contract.stats import StatsKey
from contract.topics import CAMERA_STATS
from demo.drills.drill import Drill
from demo.drills.running_demo import RunningDemo
from demo.drills.wait_for_demo import wait_for_demo
from demo.stack.signals import uninterrupted

_CLEANED_S = 180.0
"""The broker's cleaner looks for work every 15 s."""


def _clean_and_report(demo: RunningDemo) -> Iterator[str]:
    kafka = demo.settings.kafka
    reports, sizes = [Counts()], [_records(kafka)]

    def has_shrunk() -> bool:
        reports.append(_report(kafka, reports[-1].by_key))
        sizes.append(_records(kafka))
        return sizes[-1] < max(sizes)

    with _eager_cleaner(kafka):
        yield "Kafka's cleaner removes every superseded count as soon as it can."
        wait_for_demo(has_shrunk, "a smaller topic", _CLEANED_S)
        reports.append(_report(kafka, reports[-1].by_key))
    yield (
        f"The topic has shrunk from {max(sizes):,} to {sizes[-1]:,} records. In {len(reports) - 1} "
        f"reports meanwhile none of the {len(reports[-1].by_key):,} counts was missing or fell."
    )


def _report(kafka: Kafka, before: Mapping[StatsKey, int]) -> Counts:
    """Fold the topic from its beginning; UserError if a count is missing, or less than before."""
    counts = read_counts(kafka)
    for key, count in before.items():
        if counts.by_key.get(key, 0) < count:
            raise UserError(f"The count of {key} was {count}, and is {counts.by_key.get(key)}.")
    return counts


def _records(kafka: Kafka) -> int:
    with open_consumer(kafka) as consumer:
        return sum(1 for _ in records_in_topic(consumer, CAMERA_STATS.name))


@contextmanager
def _eager_cleaner(kafka: Kafka) -> Iterator[None]:
    """Let the topic be cleaned all the time while the block runs."""
    eager = CAMERA_STATS.set_by_drill
    try:
        _configure(kafka, eager)
        yield
    finally:
        with uninterrupted():
            _configure(kafka, {name: CAMERA_STATS.config[name] for name in eager})


def _configure(kafka: Kafka, configs: Mapping[str, str]) -> None:
    resource = ConfigResource(ConfigResourceType.TOPIC, CAMERA_STATS.name, configs=dict(configs))
    with open_admin(kafka) as admin:
        admin.alter_configs([resource])


DRILLS = (
    Drill(
        name="clean-while-reporting",
        does="let Kafka's cleaner compact nest-camera-stats "
        "while the report is made again and again",
        watch_for="the report stays the same; on Live the counts go on",
        heals="Nothing has to heal: only counts that a newer one supersedes are removed.",
        shows="the report is the latest count of each key, cleaned or not",
        disturb=_clean_and_report,
    ),
)
