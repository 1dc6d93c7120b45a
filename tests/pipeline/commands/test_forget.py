"""A forgotten home leaves no trace in the lake, does not come back, and the check still holds."""

import json
from datetime import timedelta
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from deltalake import DeltaTable
from pyspark.sql import SparkSession

from check import run_check
from contract.errors import UserError
from contract.kafka.record_deletion import delete_all_records
from contract.lake import FORGET_UNFINISHED
from contract.settings import Settings
from contract.topics import NEST_LOGS, SIGHTINGS
from pipeline.commands import forget as forgetting
from pipeline.commands.complete_archive import complete_archive
from pipeline.commands.forget import forget
from pipeline.lake.tables import create_tables
from pipeline.maintenance.maintain import maintain_tables
from pipeline.queries import alerts, archive, camera_status, sightings, stats
from pipeline.schema import camera_table_schema
from tests.fixtures.errors import raising
from tests.fixtures.kafka import append as append_records
from tests.fixtures.kafka import renew_topics
from tests.pipeline.queries.cameras import run_query_to_end, states
from tests.pipeline.queries.runs import MIDNIGHT, counted, new_settings, rows, run_to_end, send

pytestmark = [pytest.mark.spark, pytest.mark.kafka]

LONG_ID = "cam0" + 60 * "x"
"""Delta's statistics have the beginning of so long a text, which is no word of its own."""
EARLIER, LATER = "2026-11-19T12:00:00Z", "2026-11-20T00:00:30Z"
"""Changes of cameras, before the messages and between two of them."""
STRANGER = b'{"device_id":"cam9","zip_code":"unknown","start_time":"2026-11-20T00:00:00Z"}'
"""A record of nest-sightings of a camera that nobody has, and that is not forgotten."""


def message(structure: str, *devices: str, minute: int = 0, **fields: object) -> bytes:
    start = MIDNIGHT.isoformat().replace("+00:00", "Z").replace("00:00:00", f"00:{minute:02}:00")
    event = {"has_person": True, "start_time": start}
    cameras = {
        f"key-{device}": {
            "device_id": device,
            "structure_id": structure,
            "name": f"Hallway of {structure}",
            "last_event": event,
            **fields,
        }
        for device in devices
    }
    return json.dumps({"devices": {"cameras": cameras}}).encode()


def append(spark: SparkSession, settings: Settings, *states: tuple[str, int]) -> None:
    """Append a row for each camera and minute, as the archive does, in one file."""
    rows = []
    for device, minute in states:
        moment = MIDNIGHT + timedelta(minutes=minute)
        given = {
            "device_id": device,
            "is_online": True,
            "partition": 0,
            "offset": minute,
            "timestamp": moment,
            "last_is_online_change": moment,
        }
        rows.append([given.get(field.name) for field in camera_table_schema()])
    of_cameras = spark.createDataFrame(rows, camera_table_schema()).coalesce(1)
    of_cameras.write.format("delta").mode("append").save(f"{settings.lake}/camera")


def stored_text(lake: str) -> str:
    """All that the lake's files say, Parquet files as their values and footers."""
    texts = []
    for file in Path(lake).rglob("*"):
        if file.is_file():
            texts.append(str(file) + file.read_bytes().decode("utf-8", "replace"))
            if file.suffix == ".parquet":
                parquet = pq.ParquetFile(file)
                texts += [repr(parquet.read().to_pylist()), repr(parquet.metadata.to_dict())]
    return "\n".join(texts)


def holds(settings: Settings) -> bool:
    verdict = run_check(settings)
    assert verdict.holds, [each for each in verdict.comparisons if not each.holds]
    return verdict.holds


def test_everything_of_a_forgotten_home_is_gone_and_stays_gone_in_a_folder_of_any_name(
    spark: SparkSession, bootstrap_servers: str
) -> None:
    with new_settings(bootstrap_servers, folder_prefix="nest [demo] {a,b}|^ ") as settings:
        for minute in (0, 1):
            of_anna = [
                (message("anna", "cam0", "cam1", minute=minute), minute),
                (message("anna", "cam0", minute=minute, is_online="maybe"), minute),
                (b'{"name": "Hallway of anna', minute),
            ]
            send(bootstrap_servers, of_anna, key=b"anna")
            of_bert = [
                (message("bert", "cam00", minute=minute), minute),
                (message("bert", "cam00", minute=minute, is_online="maybe"), minute),
            ]
            send(bootstrap_servers, of_bert, key=b"bert")
        run_to_end(spark, settings.model_copy(update={"max_offsets_per_trigger": 5}))  # two batches
        assert DeltaTable(f"{settings.lake}/camera").version() == 2
        maintain_tables(spark, settings)
        assert "anna" in stored_text(settings.lake)
        versions = {name: DeltaTable(f"{settings.lake}/{name}").version() for name in ("camera",)}

        aside = Path(f"{settings.lake}/camera.set-aside-2")
        aside.mkdir()

        removed = forget(spark, settings, structure_id="anna")

        assert [Path(uri).name for uri in removed.set_aside] == [aside.name]
        assert removed.rows == {"camera": 6, "quarantine": 4, "camera_status": 2}
        assert (removed.devices, removed.in_kafka.count) == (2, 6)
        text = stored_text(settings.lake)
        assert "Hallway of bert" in text
        for trace in ("anna", '"cam0"', "'cam0'", "cam1"):
            assert trace not in text
        assert DeltaTable(f"{settings.lake}/camera").version() > versions["camera"]
        assert holds(settings)

        send(bootstrap_servers, [(message("anna", "cam0", "cam1"), 5), (b"{", 5)], key=b"anna")
        send(bootstrap_servers, [(message("bert", "cam00", "cam1"), 5)], key=b"bert")
        run_to_end(spark, settings)
        assert sorted(row["device_id"] for row in rows(settings, "camera")) == ["cam00"] * 5
        assert [row["reason"] for row in rows(settings, "quarantine")] == ["field"] * 2
        assert complete_archive(spark, settings) == (0, 0)
        assert holds(settings)

        with pytest.raises(UserError, match=r"No table has anything of the camera .*'cam9'"):
            forget(spark, settings, device_id="cam9")
        for word in ("Hallway", "bert"):  # no camera, though a quarantined text has it
            with pytest.raises(UserError, match=rf"of the camera .*'{word}'"):
                forget(spark, settings, device_id=word)
        removed = forget(spark, settings, device_id="cam00")
        assert removed.rows == {"camera": 5, "quarantine": 2, "camera_status": 1}
        assert "cam00" not in stored_text(settings.lake)
        assert holds(settings)


def test_another_homes_camera_in_a_forgotten_homes_message_has_its_own_rows_and_the_state_before(
    spark: SparkSession, bootstrap_servers: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with new_settings(bootstrap_servers) as settings:
        of_bert = message("bert", "cam5", minute=0, is_online=True, last_is_online_change=EARLIER)
        send(bootstrap_servers, [(of_bert, 0)], key=b"bert")
        of_bert_by_anna = message(
            "bert", "cam5", "cam6", minute=1, is_online=False, last_is_online_change=LATER
        )
        of_nobody = b'{"devices":{"cameras":{"a":{"device_id":"cam7","name":"Hallway of anna"}}}}'
        of_anna = [(of_bert_by_anna, 1), (of_nobody, 2), (message("anna", "cam0"), 3)]
        send(bootstrap_servers, of_anna, key=b"anna")
        queries = (stats, archive, camera_status, alerts)
        run_to_end(spark, settings, queries)
        assert states(settings)["cam5"] == (1, False)

        for step in ("_show_state_before", "_delete", "_delete_of", "purge_log"):
            monkeypatch.setattr(forgetting, step, raising(RuntimeError("killed")))
            with pytest.raises(RuntimeError, match="killed"):
                forget(spark, settings, structure_id="anna")
            monkeypatch.undo()
            assert FORGET_UNFINISHED in run_check(settings).notes

        forget(spark, settings, structure_id="anna")
        assert [row["device_id"] for row in rows(settings, "camera")] == ["cam5"]
        assert states(settings) == {"cam5": (0, True)}
        assert "anna" not in stored_text(settings.lake)
        assert FORGET_UNFINISHED not in run_check(settings).notes
        assert holds(settings)
        run_to_end(spark, settings, queries)
        assert holds(settings)

        delete_all_records(settings.kafka, NEST_LOGS)
        send(bootstrap_servers, [(message("bert", "cam5", minute=4), 4)], key=b"bert")
        run_to_end(spark, settings, queries)
        assert holds(settings)


def test_rows_of_other_homes_at_the_positions_of_a_topic_that_was_created_again_stay(
    spark: SparkSession, bootstrap_servers: str
) -> None:
    with new_settings(bootstrap_servers) as settings:
        send(bootstrap_servers, [(message("bert", "cam1", minute=m), m) for m in (0, 1)], key=b"b")
        run_to_end(spark, settings)
        renew_topics(bootstrap_servers)
        send(bootstrap_servers, [(message("anna", "cam0", minute=m), m) for m in (2, 3)], key=b"b")
        send(
            bootstrap_servers, [(message("anna", "cam0", minute=m), m) for m in (2, 3)], key=b"anna"
        )
        assert forget(spark, settings, structure_id="anna").rows["camera"] == 0
        assert [row["device_id"] for row in rows(settings, "camera")] == ["cam1"] * 2


def test_the_check_holds_when_the_messages_of_a_forgotten_home_are_gone_from_kafka_too(
    spark: SparkSession, bootstrap_servers: str
) -> None:
    with new_settings(bootstrap_servers) as without_sightings:
        settings = without_sightings.model_copy(update={"sightings": True})
        queries = (stats, archive, sightings)
        send(bootstrap_servers, [(message("anna", "cam0", "cam2", "cam3"), 0)], key=b"anna")
        send(bootstrap_servers, [(message("bert", "cam1"), 0)], key=b"bert")
        run_to_end(spark, settings, queries)
        forget(spark, settings, structure_id="anna")
        delete_all_records(settings.kafka, NEST_LOGS)
        send(bootstrap_servers, [(message("bert", "cam1", minute=1), 1)], key=b"bert")
        run_to_end(spark, settings, queries)
        assert counted(bootstrap_servers) == {("94304", 0): 3, ("01002", 0): 1, ("unknown", 0): 1}

        assert holds(settings)
        assert holds(without_sightings)

        append_records(bootstrap_servers, SIGHTINGS.name, (b"cam9", STRANGER))
        found = {each.what for each in run_check(settings).comparisons if not each.holds}
        assert found == {
            "sightings in nest-sightings",
            "sightings in nest-sightings that do not count",
        }


def test_the_streams_on_the_tables_go_on_after_a_camera_was_forgotten(
    spark: SparkSession, bootstrap_servers: str
) -> None:
    with new_settings(bootstrap_servers) as settings:
        create_tables(spark, settings)
        append(spark, settings, (LONG_ID, 0))
        append(spark, settings, ("cam1", 1), (LONG_ID, 2))
        run_query_to_end(spark, settings, camera_status)
        run_query_to_end(spark, settings, alerts)
        # Neither query has read this file when it is rewritten without that camera.
        append(spark, settings, ("cam3", 2), (LONG_ID, 3))

        assert forget(spark, settings, device_id=LONG_ID).rows["camera_status"] == 1
        assert "cam0" not in stored_text(settings.lake)

        append(spark, settings, ("cam1", 3), ("cam2", 3))
        run_query_to_end(spark, settings, camera_status)
        run_query_to_end(spark, settings, alerts)
        assert states(settings) == {"cam1": (3, True), "cam2": (3, True), "cam3": (2, True)}
