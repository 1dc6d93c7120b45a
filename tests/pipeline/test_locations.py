"""device_locations is read once, as text, and refused when it is ambiguous."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from py4j.protocol import Py4JJavaError
from pyspark.sql import SparkSession

from check.locations import read_locations as check_locations
from contract.bucket_access import open_store
from contract.errors import UserError
from contract.settings import Settings
from demo.stack.environment import environment
from pipeline import locations as module
from pipeline.counting import with_zip_codes
from pipeline.locations import locations_digest, read_locations

pytestmark = pytest.mark.spark

_JOINS = """
from contract.settings import load_settings
from pipeline.locations import read_locations
from pipeline.spark.session import build_session
from pipeline.spark.storage import Storage
from pipeline.counting import (with_zip_codes)
settings = load_settings()
spark = build_session(settings)
seen = spark.createDataFrame([("a",), ("b",), ("elsewhere",)], "device_id STRING")
placed = with_zip_codes(seen, read_locations(spark, settings.device_locations))
print(*sorted(f"{row.device_id}={row.zip_code}" for row in placed.collect()))
print(*Storage(spark, settings.device_locations.rpartition("/")[0]).names())
spark.stop()
"""
"""A Spark of its own: the tests' session was started without the jars of an object store."""


def table(tmp_path: Path, text: str, name: str = "locations.csv") -> str:
    path = tmp_path / name
    path.write_text(text)
    return str(path)


def test_zip_codes_are_text_and_empty_ones_are_null(spark: SparkSession, tmp_path: Path) -> None:
    uri = table(tmp_path, 'city,zip_code,device_id\n"Amherst, MA",01002,a\nNowhere,,b\n')
    rows = read_locations(spark, uri).collect()
    assert {(row.device_id, row.zip_code) for row in rows} == {("a", "01002"), ("b", None)}


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_quoted_field_may_have_quotes_commas_and_line_breaks(
    spark: SparkSession, tmp_path: Path, end: str
) -> None:
    lines = ["device_id,city,zip_code", f'a,"Palo{end}Alto",94304', 'b,"the ""Hub"", CA",94043', ""]
    file = tmp_path / "locations.csv"
    file.write_bytes(end.join(lines).encode("utf-8-sig"))
    expected = [("a", "94304"), ("b", "94043")]
    assert sorted(map(tuple, read_locations(spark, str(file)).collect())) == expected
    assert sorted(check_locations(str(file))) == expected


def test_the_table_may_be_in_an_object_store(object_store: Settings) -> None:
    assert object_store.object_store is not None
    bucket = open_store(object_store.object_store, "s3a://nest/places")
    bucket.put("device_locations.csv", b"device_id,zip_code\na,01002\nb,94304\n")
    settings = object_store.model_copy(
        update={
            "device_locations": "s3a://nest/places/device_locations.csv",
            "spark_master": "local[1]",
            "spark_ui_port": 0,
        }
    )
    done = subprocess.run(
        [sys.executable, "-c", _JOINS],
        env={**os.environ, **environment(settings)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.splitlines() == [
        "a=01002 b=94304 elsewhere=unknown",
        "device_locations.csv",
    ], done.stderr


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("device_id,zip_code\na,1\na,2\nb,3\n", "more than once: a"),
        ("device_id,zip_code\n,1\nb,3\n", "lines without a device_id"),
        ("id,zip_code\na,1\n", "no column device_id"),
        ("", "no column device_id and no column zip_code"),
        ("device_id,zip_code,zip_code\na,1,2\n", "column zip_code more than once"),
        ("device_id,zip_code\na,1\nb,2\r\n", "lines that end as on Windows"),
        ('device_id,zip_code\na,"1\n2"\n', "a device_id or zip_code with a line end in it"),
        ("zip_code,device_id,city\n1,a,A\n2,b,B\r\n3,c,C\r\n", "lines that end as on Windows"),
        ("device_id,zip_code,city\r\na,1,A\nb,2,B\nc,3,C\r\n", "lines that end as on Windows"),
    ],
)
def test_a_table_that_is_ambiguous_is_refused(
    spark: SparkSession, tmp_path: Path, text: str, message: str
) -> None:
    path = tmp_path / "locations.csv"
    path.write_bytes(text.encode())
    with pytest.raises(UserError, match=message):
        read_locations(spark, str(path))


@pytest.mark.parametrize(
    ("text", "line", "shown"),
    [
        ('device_id,zip_code\nb,2\n"a" ,1\n', 3, "'\"a\" ,1'"),
        ('device_id,zip_code\r\n"a"b,1\r\nb,2\r\n', 2, "'\"a\"b,1'"),
        ('device_id,zip_code,city\na,1,"A\nB"\nb,2,"x,"y\n', 4, "'b,2,\"x,\"y'"),
        ('device_id,zip_code\n"b","2"\n"a,"x,1\n', 3, "'\"a,\"x,1'"),
        ('device_id,zip_code,city\na,1,"A\n" \n', 2, "'a,1,\"A'"),
        ('device_id,zip_code,city\na,1,"" B', 2, "'a,1,\"\" B'"),
        ('device_id,"zip_code"-,city\na,1,B', 1, "'device_id,\"zip_code\"-,city'"),
    ],
)
def test_a_table_with_something_behind_a_quoted_value_is_refused(
    spark: SparkSession, tmp_path: Path, text: str, line: int, shown: str
) -> None:
    path = tmp_path / "locations.csv"
    path.write_bytes(text.encode())
    with pytest.raises(UserError, match="something after the closing quote") as refused:
        read_locations(spark, str(path))
    assert f"line {line}, {shown}. " in str(refused.value)


@pytest.mark.parametrize("start", ['"b,2', 'b,"2', 'b,"2"",3'])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_table_with_a_quote_that_is_never_closed_is_refused(
    spark: SparkSession, tmp_path: Path, start: str, end: str
) -> None:
    path = tmp_path / "locations.csv"
    path.write_bytes(end.join(["device_id,zip_code", "a,1", start, "c,3", ""]).encode())
    with pytest.raises(UserError, match=f"quote that is never closed in line 3, {start!r}. Close"):
        read_locations(spark, str(path))


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize(
    "line",
    [
        *('a"b,1', 'a"b"c,1', ' "a",1', '"a ",1', '"a""b",1', '"""a""",1', 'a"",1', '"a,""b",1'),
        *('a"b,1,"Palo, ""Alto"', "a',1", '"a\n b,"" ""c",1', '"a\\",1', '"a","1"', 'a,""'),
    ],
)
def test_pipeline_and_check_read_quotes_in_the_same_way(
    spark: SparkSession, tmp_path: Path, line: str, end: str
) -> None:
    path = tmp_path / "locations.csv"
    text = end.join(["device_id,zip_code,city", line, 'x,"2",', ""])
    path.write_bytes(text.encode("utf-8-sig"))
    expected = [(device, zip_code or None) for device, zip_code in check_locations(str(path))]
    if "\n" in expected[0][0]:
        with pytest.raises(UserError, match="with a line end in it"):
            read_locations(spark, str(path))
    else:
        assert list(map(tuple, read_locations(spark, str(path)).collect())) == expected


@pytest.mark.parametrize(
    "text",
    [
        'device_id,zip_code,city\r\na,1,"A\nB"\r\nb,2,B\r\n',
        "device_id,zip_code,city\r\na,1,A\r\nb,2,B",
        "device_id,zip_code\r\na,1\r\nb,2\n",
        "device_id,zip_code,city\na,1,A\nb,2,B",
    ],
)
def test_a_value_may_have_line_ends_of_its_own_and_the_last_line_none(
    spark: SparkSession, tmp_path: Path, text: str
) -> None:
    path = tmp_path / "locations.csv"
    path.write_bytes(text.encode())
    found = read_locations(spark, str(path)).collect()
    assert sorted(map(tuple, found)) == [("a", "1"), ("b", "2")]


@pytest.mark.parametrize("folder", ["nest [demo]", "{a,b}", "a*b?", "a\\b"])
def test_a_folder_may_have_any_name(spark: SparkSession, tmp_path: Path, folder: str) -> None:
    (tmp_path / folder).mkdir()
    uri = table(tmp_path / folder, "device_id,zip_code\na,1\n")
    assert [row.zip_code for row in read_locations(spark, uri).collect()] == ["1"]


def test_a_table_that_is_not_utf_8_is_refused(spark: SparkSession, tmp_path: Path) -> None:
    path = tmp_path / "locations.csv"
    path.write_bytes("device_id,zip_code,city\na,1,Amherst\nb,2,Z\xfcrich\n".encode("latin-1"))
    found = r"NEST_DEVICE_LOCATIONS=\S+ is not UTF-8, for example in the line 'b,2,Z.rich'"
    with pytest.raises(UserError, match=f"{found}. Save it as CSV in UTF-8."):
        read_locations(spark, str(path))


def test_a_table_that_is_not_there_is_named(spark: SparkSession) -> None:
    with pytest.raises(UserError, match=r"/nowhere/locations\.csv"):
        read_locations(spark, "/nowhere/locations.csv")


def test_a_table_that_is_no_archive_of_its_kind_is_named_with_the_cause(
    spark: SparkSession, tmp_path: Path
) -> None:
    uri = table(tmp_path, "device_id,zip_code\na,1\n", "locations.csv.gz")
    found = rf"NEST_DEVICE_LOCATIONS={uri} cannot be read: .*not a gzip file"
    with pytest.raises(UserError, match=found):
        read_locations(spark, uri)


@pytest.mark.parametrize(
    ("cause", "kind", "message"),
    [
        ("/locations.csv (Permission denied)", UserError, r"NEST_DEVICE_LOCATIONS=/l.* denied"),
        ("Connection refused", Py4JJavaError, "Connection refused"),
    ],
)
def test_a_table_that_this_user_may_not_read_is_named_and_a_store_that_is_away_may_come_back(
    spark: SparkSession,
    monkeypatch: pytest.MonkeyPatch,
    cause: str,
    kind: type[Exception],
    message: str,
) -> None:
    def read(*_: object) -> None:
        raise Py4JJavaError("An error occurred", spark._jvm.java.io.IOException(cause))

    monkeypatch.setattr(module, "_refuse_unusable_text", read)
    with pytest.raises(kind, match=message):
        read_locations(spark, "/locations.csv")


def test_the_digest_depends_on_devices_and_zip_codes_only(
    spark: SparkSession, tmp_path: Path
) -> None:
    def digest(text: str) -> str:
        uri = table(tmp_path, text, f"{abs(hash(text))}.csv")
        return locations_digest(read_locations(spark, uri))

    one = digest("device_id,zip_code\na,1\nb,2\n")
    assert one == digest("zip_code,city,device_id\n2,x,b\n1,y,a\n")
    assert one != digest("device_id,zip_code\na,2\nb,1\n")
    assert one != digest("device_id,zip_code\na,1\nb,2\nc,\n")


@pytest.mark.parametrize(
    ("large", "operator"), [(1_000, "BroadcastHashJoin"), (2, "ShuffledHashJoin")]
)
def test_a_small_table_is_broadcast_and_a_large_one_stays_where_it_is(
    spark: SparkSession,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    large: int,
    operator: str,
) -> None:
    monkeypatch.setattr(module, "LARGE", large)
    uri = table(tmp_path, "device_id,zip_code\na,1\nb,2\nc,3\n")
    seen = spark.createDataFrame([("a",), ("c",), ("d",)], "device_id string")
    locations = read_locations(spark, uri)
    placed = with_zip_codes(seen, locations)
    assert {tuple(row) for row in placed.collect()} == {("a", "1"), ("c", "3"), ("d", "unknown")}
    plan = placed._jdf.queryExecution().executedPlan().toString()
    assert operator in plan
    if operator == "ShuffledHashJoin":
        assert "BuildLeft" in plan, "the hash table is of the sightings"
        partitions = spark.conf.get("spark.sql.shuffle.partitions")
        assert str(locations.rdd.getNumPartitions()) == partitions, "no join sends it again"
