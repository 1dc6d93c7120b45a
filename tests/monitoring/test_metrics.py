"""Each metric is taken from what was read, under a name that follows Prometheus."""

import re
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.registry import Collector

from contract.delta_tables import TableSize
from contract.last_check import LastCheck
from contract.progress import QueryProgress
from contract.queries import Query
from monitoring.health import pipeline_up, queries_up
from monitoring.kafka_readings import KafkaReadings
from monitoring.lake_readings import LakeReadings
from monitoring.metrics import METRICS, Readings
from tests.sample.verdicts import DIFFERS

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
COUNTS = QueryProgress(
    Query.STATS,
    "running",
    "2026-11-20T11:59:50.000Z",
    batch_id=7,
    input_rows=30,
    batch_duration_ms=1_500,
    state_rows=400,
    end_offsets={0: 8, 1: 9},
    restarts=2,
)
STATES = QueryProgress(
    Query.CAMERA_STATUS,
    "restarting",
    "2026-11-20T11:59:50.000Z",
    table="camera",
    end_version=3,
    files_outstanding=3,
    bytes_outstanding=4096,
    longest_wait_ms=10_500,
)
KAFKA = KafkaReadings(
    end_offsets={"nest-logs": {0: 8, 1: 14}, "nest-camera-stats": {0: 3}},
    progress={Query.STATS: COUNTS, Query.CAMERA_STATUS: STATES},
    reported_at={Query.STATS: NOON - timedelta(seconds=8), Query.CAMERA_STATUS: NOON},
    dropped_rows={Query.STATS: 5, Query.CAMERA_STATUS: 0},
    newest_counted_at=NOON - timedelta(seconds=10),
)
LAKE = LakeReadings({"camera": TableSize(4, 500, 12, 3_000, 250)}, {"malformed": 6, "field": 0})


def exported(readings: Readings) -> dict[str, float]:
    """Return the samples as Prometheus reads them, by name and labels."""

    class Given(Collector):
        def collect(self):
            return [metric.family(readings) for metric in METRICS]

    registry = CollectorRegistry()
    registry.register(Given())
    lines = generate_latest(registry).decode().splitlines()
    samples = (line.rsplit(" ", 1) for line in lines if not line.startswith("#"))
    return {name: float(value) for name, value in samples}


def test_what_was_read_is_exported_in_base_units() -> None:
    an_hour_ago = NOON - timedelta(hours=1)
    check = LastCheck(an_hour_ago, an_hour_ago, DIFFERS)
    found = exported(Readings(NOON, KAFKA, LAKE, check, {"lake": 7_000}))
    noon = NOON.timestamp()
    assert found == {
        "nest_kafka_up": 1,
        'nest_topic_records_total{partition="0",topic="nest-logs"}': 8,
        'nest_topic_records_total{partition="1",topic="nest-logs"}': 14,
        'nest_topic_records_total{partition="0",topic="nest-camera-stats"}': 3,
        "nest_pipeline_up": 1,
        'nest_query_up{query="stats"}': 1,
        'nest_query_up{query="camera_status"}': 0,
        'nest_query_state{query="stats",state="waiting"}': 0,
        'nest_query_state{query="stats",state="running"}': 1,
        'nest_query_state{query="stats",state="restarting"}': 0,
        'nest_query_state{query="stats",state="stopped"}': 0,
        'nest_query_state{query="camera_status",state="waiting"}': 0,
        'nest_query_state{query="camera_status",state="running"}': 0,
        'nest_query_state{query="camera_status",state="restarting"}': 1,
        'nest_query_state{query="camera_status",state="stopped"}': 0,
        'nest_query_report_timestamp_seconds{query="stats"}': noon - 8,
        'nest_query_report_timestamp_seconds{query="camera_status"}': noon,
        'nest_query_restarts_total{query="stats"}': 2,
        'nest_query_restarts_total{query="camera_status"}': 0,
        'nest_query_longest_wait_seconds{query="stats"}': 0,
        'nest_query_longest_wait_seconds{query="camera_status"}': 10.5,
        'nest_query_lag_records{partition="0",query="stats"}': 0,
        'nest_query_lag_records{partition="1",query="stats"}': 5,
        'nest_query_records_total{partition="0",query="stats"}': 8,
        'nest_query_records_total{partition="1",query="stats"}': 9,
        'nest_query_table_version{query="camera_status",table="camera"}': 3,
        'nest_query_backlog_files{query="camera_status"}': 3,
        'nest_query_backlog_bytes{query="camera_status"}': 4096,
        'nest_query_batch_duration_seconds{query="stats"}': 1.5,
        'nest_query_batch_records{query="stats"}': 30,
        'nest_query_state_rows{query="stats"}': 400,
        'nest_query_watermark_dropped_rows_total{query="stats"}': 5,
        'nest_query_watermark_dropped_rows_total{query="camera_status"}': 0,
        "nest_newest_counted_record_timestamp_seconds": noon - 10,
        "nest_lake_up": 1,
        'nest_table_files{table="camera"}': 12,
        'nest_table_bytes{table="camera"}': 3_000,
        'nest_table_rows{table="camera"}': 500,
        'nest_table_version{table="camera"}': 4,
        'nest_quarantine_rows{reason="field"}': 0,
        'nest_quarantine_rows{reason="malformed"}': 6,
        "nest_check_holds": 0,
        "nest_check_timestamp_seconds": noon - 3600,
        'nest_disk_free_bytes{folder="lake"}': 7_000,
    }
    assert {re.split(r"{", name)[0] for name in found} == {metric.name for metric in METRICS}


def test_what_cannot_be_read_is_left_out_and_said() -> None:
    assert exported(Readings(NOON)) == {"nest_kafka_up": 0, "nest_lake_up": 0}
    assert exported(Readings(NOON, pending=frozenset({"kafka", "lake"}))) == {}


def test_a_query_that_has_done_no_batch_has_a_lag_if_it_reads_messages() -> None:
    new = {query: QueryProgress(query, "running", COUNTS.timestamp) for query in Query}
    readings = KafkaReadings({"nest-logs": {0: 8}}, new, dict.fromkeys(new, NOON))
    lag = {query: readings.lag(query) for query in Query}
    of_messages = {Query.STATS: {0: 8}, Query.ARCHIVE: {0: 8}, Query.SIGHTINGS: {0: 8}}
    assert lag == {**of_messages, Query.CAMERA_STATUS: {}, Query.ALERTS: {}}
    found = exported(Readings(NOON, readings))
    assert not [name for name in found if "batch" in name]


def test_a_query_has_read_nothing_of_a_topic_that_was_recreated() -> None:
    progress = QueryProgress(Query.STATS, "running", COUNTS.timestamp, end_offsets={0: 50, 1: 20})
    for ends, lag in (({0: 60, 1: 20}, {0: 10, 1: 0}), ({0: 60, 1: 7}, {0: 60, 1: 7})):
        assert KafkaReadings({"nest-logs": ends}, {Query.STATS: progress}).lag(Query.STATS) == lag


def test_a_name_has_its_unit_and_only_what_grows_is_a_total() -> None:
    for metric in METRICS:
        assert re.fullmatch(r"nest_[a-z_]+", metric.name)
        assert metric.kind == ("counter" if metric.name.endswith("_total") else "gauge")
        assert "milli" not in metric.name
    assert len({metric.name for metric in METRICS}) == len(METRICS)


def queries(
    lag: int, seconds_silent: float, latest: Mapping[str, QueryProgress]
) -> Mapping[str, bool]:
    """Return which queries are up that have reported so long ago and have so much left."""
    reported_at = dict.fromkeys(latest, NOON - timedelta(seconds=seconds_silent))
    ends = {"nest-logs": {0: 8 + lag, 1: 9}}
    return queries_up(KafkaReadings(ends, latest, reported_at), NOON)


SEEN = replace(COUNTS, query=Query.SIGHTINGS, end_offsets={}, longest_wait_ms=300_000)


@pytest.mark.parametrize(("seconds_silent", "is_up"), [(44, True), (46, False)])
@pytest.mark.parametrize("lag", [0, 1])
def test_a_query_is_down_when_it_is_silent_whether_messages_wait_or_not(
    lag: int, seconds_silent: float, is_up: bool
) -> None:
    latest = {Query.STATS: COUNTS, Query.SIGHTINGS: SEEN}
    found = queries(lag, seconds_silent, latest)
    assert found == {Query.STATS: is_up, Query.SIGHTINGS: is_up}
    assert pipeline_up(found) == is_up


def test_a_pipeline_that_was_stopped_or_has_never_run_is_down() -> None:
    stopped = {Query.STATS: replace(COUNTS, state="stopped"), Query.SIGHTINGS: SEEN}
    assert queries(0, 1, stopped) == {Query.STATS: False, Query.SIGHTINGS: False}
    assert not pipeline_up(queries(0, 1, {}))
