"""The digest of device locations is the one that the pipeline makes with Spark's hash."""

from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from check.location_digest import location_digest
from check.locations import read_locations
from pipeline.locations import locations_digest
from pipeline.locations import read_locations as read_with_spark

SIZES = [*range(40), 63, 64, 65, 1_000]
ODD_IDS = ["h\u00e4user", "\U0001f600", " blank before and after ", '"quoted, with ""quotes"""']


@pytest.mark.spark
@pytest.mark.parametrize("prefix", ["", "\ufeff"], ids=["plain", "with a byte order mark"])
@pytest.mark.parametrize("line_end", ["\n", "\r\n"], ids=["Unix", "Windows"])
def test_spark_makes_the_same_digest_of_any_file_that_the_pipeline_takes(
    spark: SparkSession, tmp_path: Path, prefix: str, line_end: str
) -> None:
    ids = [*(f"{'x' * size}{number}" for number, size in enumerate(SIZES)), *ODD_IDS]
    lines = [f"town,{each},{'9' * (number % 40)}" for number, each in enumerate(ids)]
    lines += ["town,no zip code", "", 'town,quoted,"01002"', 'town,empty,""', "town,blank, "]
    file = tmp_path / "locations.csv"
    text = line_end.join(["city,device_id,zip_code", *lines, ""])
    file.write_bytes((prefix + text).encode())
    expected = locations_digest(read_with_spark(spark, str(file)))
    assert location_digest(read_locations(str(file))) == expected
    assert expected.startswith(f"{len(lines) - 1}-")


@pytest.mark.spark
def test_an_empty_table_has_a_digest_too(spark: SparkSession, tmp_path: Path) -> None:
    file = tmp_path / "locations.csv"
    file.write_text("device_id,zip_code\n")
    assert location_digest([]) == locations_digest(read_with_spark(spark, str(file)))
