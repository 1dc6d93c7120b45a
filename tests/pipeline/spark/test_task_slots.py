"""A local master has slots for the tasks of real-time mode, which never end."""

import os

import pytest

from contract.settings import Settings
from pipeline.spark.task_slots import with_slots_for_real_time


@pytest.mark.parametrize(
    ("master", "widened"),
    [
        ("local[2]", "local[6]"),
        ("local[*]", f"local[{(os.cpu_count() or 1) + 4}]"),
        ("local", "local[5]"),
        ("local[2,3]", "local[6,3]"),
        ("local[*, 3]", f"local[{(os.cpu_count() or 1) + 4}, 3]"),
        ("spark://host:7077", "spark://host:7077"),
        ("", ""),
    ],
)
def test_a_local_master_gets_a_slot_for_each_partition(master: str, widened: str) -> None:
    assert with_slots_for_real_time(Settings(spark_master=master)) == widened


def test_more_partitions_get_more_slots() -> None:
    settings = Settings(spark_master="local[2]", partitions=16)
    assert with_slots_for_real_time(settings) == "local[18]"


def test_without_the_query_sightings_the_master_is_as_it_was_set() -> None:
    settings = Settings(spark_master="local[2]", sightings=False)
    assert with_slots_for_real_time(settings) == "local[2]"
