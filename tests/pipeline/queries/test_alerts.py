"""The alerts on real Kafka and Delta: one for each change, whatever is repeated or deleted."""

import json

import pytest
from deltalake import DeltaTable
from pyspark.sql import SparkSession

from contract.alerts import Alert, AlertLog
from contract.errors import NoBroker, UserError
from contract.kafka.bounded_read import records_in_topic
from contract.kafka.connections import open_consumer
from contract.settings import Settings
from contract.topics import CAMERA_ALERTS
from demo.stack.ports import free_port
from pipeline.commands.delete_camera_status import delete_alert_checkpoint
from pipeline.queries import alerts, camera_status
from tests.pipeline.queries.cameras import append, run_query_to_end, uncommit_last_batch
from tests.pipeline.queries.runs import new_settings
from tests.sample.lake import after_noon, camera

pytestmark = [pytest.mark.spark, pytest.mark.kafka]


def folded(settings: Settings) -> dict[str, Alert]:
    """Return the alerts by id, each once."""
    log = AlertLog(max_alerts=100)
    with open_consumer(settings.bootstrap_servers) as consumer:
        log.refresh(consumer)
    assert log.unreadable == 0
    return log.by_id


def number_sent(settings: Settings) -> int:
    with open_consumer(settings.bootstrap_servers) as consumer:
        return len(list(records_in_topic(consumer, CAMERA_ALERTS.name)))


def test_each_change_is_one_alert_through_repetitions_deletions_and_a_repair(
    spark: SparkSession, bootstrap_servers: str
) -> None:
    def since(minutes: float) -> dict[str, object]:
        return {"last_is_online_change": after_noon(minutes)}

    with new_settings(bootstrap_servers) as settings:
        append(
            settings,
            camera("cam0", 0, offset=1, **since(-60)),
            camera("cam2", 0, offset=2, online=False, **since(-10)),
            camera("quiet", 0, offset=3),
            camera("calm", 0, offset=30),
        )
        run_query_to_end(spark, settings, camera_status)
        run_query_to_end(spark, settings, alerts)
        assert list(folded(settings)) == ["cam2:0:2:offline"]

        append(
            settings,
            camera("cam0", 10, offset=4, online=False, **since(9)),
            camera("cam2", 10, offset=5, **since(8)),
            camera("new", 400, offset=6),  # the clock of the messages is 6 h 40 min further
        )
        run_query_to_end(spark, settings, camera_status)
        run_query_to_end(spark, settings, alerts)
        expected = [
            "cam2:0:2:offline",  # of the batch before
            "quiet:0:3:silent",
            "calm:0:30:silent",
            "cam2:0:5:online",
            "cam0:0:4:offline",
            "cam0:0:4:silent",
            "cam2:0:5:silent",
        ]
        found = folded(settings)
        assert list(found) == expected, "each batch sends the earliest changes first"
        assert found["cam0:0:4:offline"] == Alert(
            "cam0:0:4:offline",
            "cam0",
            "offline",
            since=after_noon(9),
            reported_at=after_noon(10),
            partition=0,
            offset=4,
            zip_code="94304",
            name="cam0 Camera",
            structure_id="home of cam0",
            was_online_for_s=69 * 60.0,
        )
        assert found["cam2:0:5:online"].was_offline_for_s == 18 * 60.0
        assert found["quiet:0:3:silent"].since == after_noon(0)
        assert found["quiet:0:3:silent"].zip_code == "unknown"

        uncommit_last_batch(settings, "alerts")
        DeltaTable(f"{settings.lake}/camera_status").delete("device_id = 'quiet'")
        append(settings, camera("cam2", 401, offset=7, **since(8)))
        run_query_to_end(spark, settings, camera_status)
        run_query_to_end(spark, settings, alerts)
        found = folded(settings)
        assert sorted(found) == sorted([*expected, "cam2:0:7:online"])
        assert found["cam2:0:7:online"].was_silent_for_s == 391 * 60.0
        assert number_sent(settings) == 1 + 6 + 6 + 1, "the batch that ran again was sent again"

        # And while there are no alerts, a camera comes back, and one that was silent speaks again.
        delete_alert_checkpoint(spark, settings)
        append(settings, camera("cam0", 402, offset=8, **since(401)), camera("calm", 402, offset=9))
        run_query_to_end(spark, settings, camera_status)
        run_query_to_end(spark, settings, alerts)
        found = folded(settings)
        expected += ["cam2:0:7:online", "cam0:0:8:online", "calm:0:9:online"]
        assert sorted(found) == sorted(expected)
        assert found["cam0:0:8:online"].was_offline_for_s == 392 * 60.0
        assert found["calm:0:9:online"].was_silent_for_s == 402 * 60.0
        assert found["calm:0:9:online"].was_offline_for_s is None
        elsewhere = settings.model_copy(update={"lake": f"{settings.lake}-2"})
        with pytest.raises(UserError, match=r"(?s)camera_status .*is gone.*nest repair alerts"):
            alerts.start(spark, elsewhere, once=True)


def test_a_batch_that_runs_again_does_not_take_its_own_alerts_for_what_was_before(
    spark: SparkSession, bootstrap_servers: str
) -> None:
    with new_settings(bootstrap_servers) as settings:
        append(settings, camera("unknown", 0, offset=1) | {"is_online": None})
        run_query_to_end(spark, settings, camera_status)
        run_query_to_end(spark, settings, alerts)
        for minute, is_online in ((1, True), (2, False)):
            devices = {"new": 10 + minute, "unknown": 20 + minute}
            append(
                settings,
                *(
                    camera(device, minute, offset=offset) | {"is_online": is_online}
                    for device, offset in devices.items()
                ),
            )
            run_query_to_end(spark, settings, camera_status)
        for times_run in (1, 2):
            run_query_to_end(spark, settings, alerts)
            assert sorted(folded(settings)) == ["new:0:12:offline", "unknown:0:22:offline"]
            assert number_sent(settings) == 2 * times_run
            uncommit_last_batch(settings, "alerts")


def test_a_state_that_is_not_known_for_a_while_is_no_change(
    spark: SparkSession, bootstrap_servers: str
) -> None:
    states = {"on": (True, None, True), "off": (False, None, False)}
    states |= {"goes": (True, None, False), "comes": (False, None, True)}
    with new_settings(bootstrap_servers) as settings:
        for minute in range(3):
            rows = (
                camera(device, minute, offset=10 * minute + place) | {"is_online": known[minute]}
                for place, (device, known) in enumerate(states.items())
            )
            append(settings, *rows)
            run_query_to_end(spark, settings, camera_status)
            run_query_to_end(spark, settings, alerts)
        found = {each.id: each for each in folded(settings).values()}
        assert sorted(found) == [
            "comes:0:23:online",
            "comes:0:3:offline",
            "goes:0:22:offline",
            "off:0:1:offline",
        ]
        assert found["comes:0:23:online"].was_offline_for_s == 2 * 60.0


def test_the_records_are_json_with_the_device_as_key_for_the_longest_id_too(
    spark: SparkSession, bootstrap_servers: str
) -> None:
    long = "d" * 1_000_000
    with new_settings(bootstrap_servers) as settings:
        append(
            settings,
            camera("cam3", 0, offset=1, online=False, last_is_online_change=None),
            camera(long, 0, offset=2, online=False, last_is_online_change=after_noon(-1)),
        )
        run_query_to_end(spark, settings, camera_status)
        run_query_to_end(spark, settings, alerts)
        assert sorted(each.device_id for each in folded(settings).values()) == ["cam3", long]
        with open_consumer(bootstrap_servers) as consumer:
            record, other = sorted(
                records_in_topic(consumer, CAMERA_ALERTS.name), key=lambda r: r.key
            )
    assert (record.key, other.key) == (b"cam3", long.encode())
    assert json.loads(record.value) == {
        "id": "cam3:0:1:offline",
        "device_id": "cam3",
        "alert": "offline",
        "since": "2026-11-20T12:00:00.000Z",
        "reported_at": "2026-11-20T12:00:00.000Z",
        "partition": 0,
        "offset": 1,
        "zip_code": "unknown",
        "name": "cam3 Camera",
        "structure_id": "home of cam3",
    }


def test_while_no_broker_answers_it_does_not_start(
    spark: SparkSession, bootstrap_servers: str
) -> None:
    with new_settings(bootstrap_servers) as settings:
        append(settings, camera("cam0", 0, offset=1))
        run_query_to_end(spark, settings, camera_status)
        without = settings.model_copy(update={"bootstrap_servers": f"127.0.0.1:{free_port()}"})
        with pytest.raises(NoBroker):
            alerts.start(spark, without, once=True)
