"""A lake that an older version of the message's schema has made goes on with the newer one."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

from check import run_check
from contract.errors import UserError
from contract.lake import CAMERA, CAMERA_STATUS
from contract.message import MESSAGE_SCHEMA
from pipeline.commands.complete_archive import complete_archive
from pipeline.commands.delete_camera_status import delete_camera_status
from pipeline.queries import alerts, archive, camera_status, stats
from tests.check.verdicts import failing
from tests.pipeline.queries.runs import new_settings, rows, run_to_end, send

pytestmark = [pytest.mark.spark, pytest.mark.kafka]

QUERIES = (stats, archive, camera_status, alerts)
Field = dict[str, Any]

OLD: Field = {
    "device_id": "cam0",
    "is_online": True,
    "last_event": {"has_person": True, "start_time": "2026-11-20T00:01:00Z"},
    "activity_zones": [{"name": "door"}],
}
NEW: Field = {
    **OLD,
    "is_online": False,
    "snapshot_url": "nest://front/now",
    "last_event": {
        "has_person": True,
        "start_time": "2026-11-20T00:05:00Z",
        "app_url": "nest://front",
    },
    "activity_zones": [{"name": "door", "id": "7"}],
}


def with_changed_fields(part: Any, change: Callable[[Field], Field | None]) -> Any:
    """A schema with each field as ``change`` returns it, and without those it returns None for."""
    match part:
        case list():
            kept = [change(each) if "type" in each else each for each in part]
            return [with_changed_fields(each, change) for each in kept if each is not None]
        case dict():
            return {key: with_changed_fields(value, change) for key, value in part.items()}
    return part


def write_schema(file: Path, change: Callable[[Field], Field | None]) -> Path:
    """Write the schema of now with changed fields."""
    file.write_text(json.dumps(with_changed_fields(json.loads(MESSAGE_SCHEMA.read_text()), change)))
    return file


def document(camera: Field) -> bytes:
    return json.dumps({"devices": {"cameras": {"key": camera}}}).encode()


def test_the_tables_get_the_fields_that_the_schema_has_and_they_have_not(
    spark: SparkSession, bootstrap_servers: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    newer = ("snapshot_url", "app_url", "id")
    older = write_schema(
        tmp_path / "older.json", lambda field: None if field["name"] in newer else field
    )
    with new_settings(bootstrap_servers) as settings:
        send(bootstrap_servers, [(document(OLD), 2)])
        with monkeypatch.context() as patch:
            patch.setattr("pipeline.schema.MESSAGE_SCHEMA", older)
            run_to_end(spark, settings, QUERIES)
            assert "snapshot_url" not in rows(settings, CAMERA)[0]
        send(bootstrap_servers, [(document(NEW), 6)])
        run_to_end(spark, settings, QUERIES)

        stored = sorted(rows(settings, CAMERA), key=lambda row: row["timestamp"])
        assert [row["snapshot_url"] for row in stored] == [None, "nest://front/now"]
        assert [row["last_event"]["app_url"] for row in stored] == [None, "nest://front"]
        assert [row["activity_zones"][0]["id"] for row in stored] == [None, "7"]
        (status,) = rows(settings, CAMERA_STATUS)
        assert (status["snapshot_url"], status["is_online"]) == ("nest://front/now", False)
        assert failing(run_check(settings)) == {}


def test_tables_with_a_field_that_the_schema_has_no_more_are_repaired_and_go_on(
    spark: SparkSession, bootstrap_servers: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    removed = ("snapshot_url", "app_url", "id")
    without = write_schema(
        tmp_path / "without.json", lambda field: None if field["name"] in removed else field
    )
    with new_settings(bootstrap_servers) as settings:
        send(bootstrap_servers, [(document(NEW), 6)])
        run_to_end(spark, settings, QUERIES)
        monkeypatch.setattr("pipeline.schema.MESSAGE_SCHEMA", without)
        delete_camera_status(spark, settings)
        send(bootstrap_servers, [(document(OLD), 7)])
        assert complete_archive(spark, settings) == (1, 0)
        send(bootstrap_servers, [(document(OLD | {"is_online": False}), 8)])
        run_to_end(spark, settings, QUERIES)
        stored = sorted(rows(settings, CAMERA), key=lambda row: row["timestamp"])
        assert [row["snapshot_url"] for row in stored] == ["nest://front/now", None, None]
        assert [row["activity_zones"][0]["id"] for row in stored] == ["7", None, None]
        (status,) = rows(settings, CAMERA_STATUS)
        assert (status["snapshot_url"], status["is_online"]) == (None, False)


def test_a_field_of_another_type_is_refused_before_anything_is_written(
    spark: SparkSession, bootstrap_servers: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def retype(field: Field) -> Field:
        return field | {"type": "string"} if field["name"] == "is_online" else field

    retyped = write_schema(tmp_path / "retyped.json", retype)
    with new_settings(bootstrap_servers) as settings:
        send(bootstrap_servers, [(document(OLD), 2)])
        run_to_end(spark, settings, (archive,))
        monkeypatch.setattr("pipeline.schema.MESSAGE_SCHEMA", retyped)
        with pytest.raises(UserError, match=r"has is_online as boolean, and .* says string"):
            archive.start(spark, settings, once=True)
        assert len(rows(settings, CAMERA)) == 1
