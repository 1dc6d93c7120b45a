"""The schema of a whole message, and the parts of it that the queries parse."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession
from pyspark.sql import functions as F
from pyspark.sql.types import (
    ArrayType,
    BooleanType,
    DataType,
    DoubleType,
    LongType,
    MapType,
    StringType,
    StructType,
    TimestampType,
)

from pipeline.schema import camera_schema, message_schema, prune, sighting_schema

SAMPLE = Path(__file__).parents[2] / "data" / "samples" / "every_device.json"
"""A document of the simulation with a device of each kind and a camera with every field."""


def example(wanted: DataType, name: str) -> Any:
    """Make a JSON value of a type, different for every field of text."""
    match wanted:
        case StructType():
            return {field.name: example(field.dataType, field.name) for field in wanted}
        case MapType():
            return {"key": example(wanted.valueType, name)}
        case ArrayType():
            return [example(wanted.elementType, name)]
        case BooleanType():
            return True
        case LongType():
            return 21
        case DoubleType():
            return 21.5
        case TimestampType():
            return "2026-11-20T10:00:00.123Z"
    return f"the {name}"


@pytest.mark.spark
def test_every_field_of_the_schema_is_read_from_a_message(spark: SparkSession) -> None:
    schema = message_schema()
    document = example(schema, "message")
    rows = spark.createDataFrame([(json.dumps(document),)], "value STRING")
    row = rows.select(F.from_json("value", schema).alias("m")).select(F.to_json("m")).head()
    assert row is not None
    assert json.loads(row[0]) == document


def names_of(kind: DataType) -> list[str]:
    """Return the fields of an object."""
    assert isinstance(kind, StructType)
    return kind.names


def test_a_message_has_metadata_devices_by_kind_and_structures() -> None:
    schema = message_schema()
    assert schema.names == ["metadata", "devices", "structures"]
    assert names_of(schema["metadata"].dataType) == ["access_token", "client_version"]
    devices = schema["devices"].dataType
    assert isinstance(devices, StructType)
    assert devices.names == ["thermostats", "smoke_co_alarms", "cameras", "companyName"]
    assert devices["companyName"].dataType == StringType()
    for objects in (*devices.fields[:3], schema["structures"]):
        assert isinstance(objects.dataType, MapType)
        assert objects.dataType.keyType == StringType()
        assert isinstance(objects.dataType.valueType, StructType)


@pytest.mark.spark
def test_a_document_of_the_simulation_is_read_without_a_loss(spark: SparkSession) -> None:
    rows = spark.createDataFrame([(SAMPLE.read_text(),)], "value STRING")
    row = (
        rows.select(F.from_json("value", message_schema()).alias("m")).select(F.to_json("m")).head()
    )
    assert row is not None
    assert json.loads(row[0]) == json.loads(SAMPLE.read_text())


def test_a_camera_has_all_fields_of_the_nest_api() -> None:
    schema = camera_schema()
    assert schema.names == [
        *("device_id", "software_version", "structure_id", "where_id", "where_name", "name"),
        *("name_long", "is_online", "is_streaming", "is_audio_input_enabled"),
        *("last_is_online_change", "is_video_history_enabled", "web_url", "app_url"),
        *("is_public_share_enabled", "activity_zones", "public_share_url", "snapshot_url"),
        "last_event",
    ]
    zones = schema["activity_zones"].dataType
    assert isinstance(zones, ArrayType)
    assert names_of(zones.elementType) == ["name", "id"]
    assert names_of(schema["last_event"].dataType) == [
        *("has_sound", "has_motion", "has_person", "start_time", "end_time", "urls_expire_time"),
        *("web_url", "app_url", "image_url", "animated_image_url", "activity_zone_ids"),
    ]


def test_the_counts_parse_only_what_they_need_of_the_full_schema() -> None:
    assert sighting_schema().simpleString() == (
        "struct<device_id:string,last_event:struct<has_person:boolean,start_time:timestamp>>"
    )


def test_a_field_that_the_schema_does_not_have_is_named() -> None:
    with pytest.raises(KeyError, match="has_persona"):
        prune(camera_schema(), {"last_event": {"has_persona": {}}})


def test_every_field_of_a_message_is_explained() -> None:
    page = (SAMPLE.parents[2] / "docs" / "world.md").read_text()
    section = page.split("## The document, field by field\n")[1].split("\n## ")[0]
    explained = set(re.findall(r"[`.](\w+)`", section))
    assert field_names(message_schema()) - {"devices"} <= explained


def field_names(part: DataType) -> set[str]:
    """Return the names of all fields in a type, at any depth."""
    match part:
        case StructType():
            return {*part.names}.union(*(field_names(field.dataType) for field in part))
        case MapType():
            return field_names(part.valueType)
        case ArrayType():
            return field_names(part.elementType)
    return set()
