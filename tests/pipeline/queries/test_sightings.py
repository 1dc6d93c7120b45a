"""Each sighting in nest-sightings, in real-time mode and to the end of the input."""

import json
import threading
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from pyspark.sql import SparkSession
from pyspark.sql.streaming.query import StreamingQuery
from rich.console import Console

from check import run_check
from contract.errors import UserError
from contract.kafka.bounded_read import records_in_topic
from contract.kafka.connections import open_consumer
from contract.kafka.record_deletion import delete_all_records
from contract.polling import poll_until
from contract.settings import Settings
from contract.sightings import decode_sighting
from contract.topics import SIGHTINGS
from pipeline.app import run_queries
from pipeline.commands.delete_counts import delete_sightings
from pipeline.queries import archive, sightings, stats
from pipeline.running.supervisor import stop_queries
from tests.fixtures.kafka import append
from tests.pipeline.queries.runs import MIDNIGHT, ZIP_CODES, Send, send

pytestmark = [pytest.mark.spark, pytest.mark.kafka]

SENDS = [
    Send(0, start=10, sent=10),
    Send(0, start=10, sent=69),
    Send(0, start=10, sent=200),
    Send(1, start=20, sent=81),
    Send(2, start=30, sent=24),
    Send(2, start=40, sent=35),
    Send(3, start=50, sent=50),
    Send(3, start=55, sent=55, person=False),
]
EXPECTED = {("cam0", 10), ("cam2", 40), ("cam3", 50)}


@pytest.fixture
def settings(settings: Settings) -> Settings:
    return settings.model_copy(update={"sightings": True})


def send_all(settings: Settings, sends: list[Send]) -> None:
    send(settings.bootstrap_servers, [(each.value(), each.sent) for each in sends])


def streamed(settings: Settings) -> list[tuple[str, int]]:
    """Return device and start, minutes after midnight, of each record of the topic."""
    found = []
    with open_consumer(settings.bootstrap_servers) as consumer:
        for record in records_in_topic(consumer, SIGHTINGS.name):
            sighting = decode_sighting(record.value)
            assert record.key.decode() == sighting.device_id
            assert sighting.zip_code == ZIP_CODES[sighting.device_id]
            start = (sighting.start_time - MIDNIGHT) // timedelta(minutes=1)
            found.append((sighting.device_id, start))
    return found


def run_all(spark: SparkSession, settings: Settings) -> None:
    """Archive, count and send the sightings, to the end of the input."""
    run_queries(
        spark,
        settings,
        threading.Event(),
        Console(quiet=True),
        once=True,
        queries=(stats, archive, sightings),
    )


def run_sightings(spark: SparkSession, settings: Settings) -> None:
    sightings.start(spark, settings, once=True).awaitTermination()


def test_each_sighting_that_counts_is_sent_the_check_finds_faults_and_a_repair_sends_all_anew(
    spark: SparkSession, settings: Settings
) -> None:
    send_all(settings, SENDS)
    run_all(spark, settings)
    assert sorted(streamed(settings)) == [("cam0", 10), ("cam0", 10), ("cam2", 40), ("cam3", 50)]
    verdict = run_check(settings)
    assert verdict.holds, [each for each in verdict.comparisons if not each.holds]

    delete_all_records(settings.kafka, SIGHTINGS)
    moment = datetime(2026, 11, 20, 0, 10, tzinfo=UTC).isoformat()
    for device, zip_code in (("cam0", "94304"), ("cam0", "10001"), ("cam9", "unknown")):
        value = f'{{"device_id":"{device}","zip_code":"{zip_code}","start_time":"{moment}"}}'
        append(settings.bootstrap_servers, SIGHTINGS.name, (device.encode(), value.encode()))
    append(settings.bootstrap_servers, SIGHTINGS.name, (b"cam0", b"{}"))
    verdict = run_check(settings)
    found = {each.what: each.found for each in verdict.comparisons if not each.holds}
    assert found == {
        "sightings in nest-sightings": "2",
        "sightings missing in nest-sightings": "2",
        "sightings in nest-sightings that do not count": "1",
        "zip codes that differ in nest-sightings": "1",
    }
    assert any("1 record of nest-sightings is no sighting" in note for note in verdict.notes)

    delete_sightings(spark, settings)
    assert streamed(settings) == []
    assert run_check(settings).holds
    run_sightings(spark, settings)
    assert set(streamed(settings)) == EXPECTED


def test_an_id_as_long_as_kafka_takes_and_ids_that_spark_may_leave_out_or_spell_anew_stop_nothing(
    spark: SparkSession, settings: Settings
) -> None:
    long = "d" * 700_000
    value = Send(0, start=10, sent=10).value().replace(b"cam0", long.encode())
    send(settings.bootstrap_servers, [(value, 10)])
    event = {"has_person": True, "start_time": "2026-11-20T00:10:00Z"}
    document = {"devices": {"cameras": {"key": {"device_id": "<id>", "last_event": event}}}}
    for device_id in ('{"a": "x?y"}', "1.5", "-0", "1" * 39, "1" * 400, "1" * 5_000):
        value = json.dumps(document).replace('"<id>"', device_id).encode()
        send(settings.bootstrap_servers, [(value, 10)])
    long_name = json.dumps(document).replace("<id>", "cam1").replace("key", "k" * 50_001)
    send(settings.bootstrap_servers, [(long_name.encode(), 10)])
    run_all(spark, settings)
    with open_consumer(settings.bootstrap_servers) as consumer:
        devices = [
            decode_sighting(r.value).device_id for r in records_in_topic(consumer, SIGHTINGS.name)
        ]
    assert [device for device in devices if device.startswith("d")] == [long]
    verdict = run_check(settings)
    assert verdict.holds, [each for each in verdict.comparisons if not each.holds]


@pytest.mark.parametrize("stop", [stop_queries, lambda queries: queries[0].stop()])
def test_in_real_time_a_sighting_is_there_while_its_batch_goes_on(
    spark: SparkSession, settings: Settings, stop: object
) -> None:
    limited = settings.model_copy(update={"max_offsets_per_trigger": 1})
    query: StreamingQuery = sightings.start(spark, limited, once=False)
    try:
        send_all(settings, SENDS[:1])
        poll_until(lambda: streamed(settings) == [("cam0", 10)], "the first sighting", 60)
        send_all(settings, SENDS[3:])
        poll_until(lambda: set(streamed(settings)) == EXPECTED, "the other sightings", 60)
        assert query.lastProgress is None
    finally:
        stop([query])


def test_a_sighting_that_was_not_committed_is_sent_again(
    spark: SparkSession, settings: Settings
) -> None:
    send_all(settings, SENDS)
    run_sightings(spark, settings)
    Path(f"{settings.checkpoints}/sightings/commits/0").unlink()
    send_all(settings, [Send(1, start=100, sent=100)])
    run_sightings(spark, settings)
    found = streamed(settings)
    assert set(found) == {*EXPECTED, ("cam1", 100)}
    assert found.count(("cam3", 50)) == 2


def test_the_check_refuses_to_judge_by_other_rules_than_the_counts_are_made_by(
    spark: SparkSession, settings: Settings, tmp_path: Path
) -> None:
    send_all(settings, SENDS)
    run_all(spark, settings)
    assert run_check(settings).holds
    locations = tmp_path / "elsewhere.csv"
    text = Path(settings.device_locations).read_text()
    locations.write_text(text.replace("01002", "10001"))
    for changed, why in [
        ({"lateness": timedelta(minutes=30)}, "counts by NEST_LATENESS=1 hour, and this check"),
        ({"clock_skew": timedelta(0)}, "by NEST_CLOCK_SKEW=0 milliseconds"),
        ({"device_locations": str(locations)}, "too, but others or elsewhere"),
    ]:
        with pytest.raises(UserError, match=why):
            run_check(settings.model_copy(update=changed))


def test_another_lateness_is_refused(spark: SparkSession, settings: Settings) -> None:
    send_all(settings, SENDS)
    run_sightings(spark, settings)
    later = settings.model_copy(update={"lateness": timedelta(minutes=30)})
    with pytest.raises(UserError, match="another NEST_LATENESS: 1 hour then, 30 minutes now"):
        sightings.start(spark, later, once=True)
