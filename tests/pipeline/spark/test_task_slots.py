"""A local master has slots for the tasks of real-time mode; others are no more than its slots."""

import os

import pytest
from pyspark.sql import SparkSession

from contract.settings import Settings
from pipeline.spark.task_slots import in_few_tasks, with_slots_for_real_time


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


@pytest.mark.spark
@pytest.mark.parametrize(
    ("master", "tasks"), [("local", 1), ("local[4]", 4), ("local[64]", 6), ("spark://host:7077", 6)]
)
def test_partitions_are_read_in_no_more_tasks_than_a_local_master_has_slots(
    spark: SparkSession, master: str, tasks: int
) -> None:
    records = spark.range(0, 60, numPartitions=6)
    merged = records.transform(in_few_tasks, Settings(spark_master=master))
    assert merged.rdd.getNumPartitions() == tasks
    assert merged.count() == 60
