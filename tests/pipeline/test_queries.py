"""The real queries on real Kafka, Delta and checkpoints: the same counts whatever the order."""

import shutil
import tempfile
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import orjson
import pytest
from deltalake import DeltaTable
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from kafka import KafkaProducer
from pyspark.sql import Row, SparkSession
from rich.console import Console

from check import run_check
from contract.connections import open_consumer
from contract.counts import Counts
from contract.errors import UserError
from contract.settings import Settings
from contract.topics import NEST_LOGS
from pipeline.app import forget_counts, run_queries
from pipeline.locations import read_locations
from pipeline.queries import archive, stats
from pipeline.queries.stats import camera_stats
from pipeline.session import STATE_STORES
from pipeline.source import read_records
from tests.fixtures.kafka import renew_topics

pytestmark = [pytest.mark.spark, pytest.mark.kafka]

MIDNIGHT = datetime(2026, 11, 20, tzinfo=UTC)
ONCE: dict[str, object] = {"availableNow": True}
PLACES = {"cam0": "94304", "cam1": "94304", "cam2": "01002", "cam3": "unknown"}


@dataclass(frozen=True)
class Send:
    """One record: what camera says it saw whom and when, and the record's own time, in minutes."""

    camera: int
    start: int
    sent: int
    person: bool = True

    @property
    def on_time(self) -> bool:
        return self.start - 5 <= self.sent <= self.start + 60

    def value(self) -> bytes:
        start = (MIDNIGHT + timedelta(minutes=self.start)).isoformat().replace("+00:00", "Z")
        camera = {
            "device_id": f"cam{self.camera}",
            "last_event": {"has_person": self.person, "start_time": start},
        }
        return orjson.dumps({"devices": {"cameras": {"key": camera}}})


def expected_counts(sends: list[Send]) -> dict[tuple[str, int], int]:
    """The meaning of the counts, in one line: distinct sightings with a record on time, by hour."""
    seen = {(send.camera, send.start) for send in sends if send.person and send.on_time}
    return dict(Counter((PLACES[f"cam{camera}"], start // 60) for camera, start in seen))


@contextmanager
def new_settings(bootstrap: str) -> Iterator[Settings]:
    """Settings of a run with topics, lake and checkpoints of its own."""
    renew_topics(bootstrap)
    folder = Path(tempfile.mkdtemp())
    places = folder / "places.csv"
    lines = [f"{device},{zip_code}" for device, zip_code in PLACES.items() if zip_code != "unknown"]
    places.write_text("\n".join(["device_id,zip_code", *lines]))
    yield Settings(
        bootstrap_servers=bootstrap,
        lake=str(folder / "lake"),
        checkpoints=str(folder / "checkpoints"),
        device_locations=str(places),
    )
    shutil.rmtree(folder)


def send(bootstrap: str, records: list[tuple[bytes | None, int]], key: bytes | None = None) -> None:
    """Send values with their own times, minutes after midnight, spread over the partitions."""
    producer = KafkaProducer(bootstrap_servers=bootstrap, acks="all")
    for number, (value, minute) in enumerate(records):
        moment = MIDNIGHT + timedelta(minutes=minute)
        producer.send(
            NEST_LOGS.name,
            key=key or f"home{number % 7}".encode(),
            value=value,
            timestamp_ms=int(moment.timestamp() * 1000),
        )
    producer.flush()
    producer.close()


def run_to_end(spark: SparkSession, settings: Settings) -> None:
    """Start both queries from their checkpoints and let them read to the end of the input."""
    run_queries(spark, settings, threading.Event(), Console(quiet=True), once=True)


def counted(bootstrap: str) -> dict[tuple[str, int], int]:
    counts = Counts()
    with open_consumer(bootstrap) as consumer:
        counts.refresh(consumer)
    return {
        (key.zip_code, (key.start - MIDNIGHT) // timedelta(hours=1)): count
        for key, count in counts.by_key.items()
    }


def rows(settings: Settings, table: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = (
        DeltaTable(f"{settings.lake}/{table}").to_pyarrow_table().to_pylist()
    )
    return found


JUNK = (b"{", b'{"devices":{"cameras":{"k":null}}}', b'{"devices":{"cameras":{"k":5}}}', None)


@st.composite
def histories(draw: st.DrawFn) -> list[list[tuple[bytes | None, int, Send | None]]]:
    """Records in three or more batches: any repetition, times at most 55 minutes out of order."""
    events = draw(
        st.lists(
            st.tuples(st.integers(0, 3), st.integers(0, 300), st.sampled_from([True, True, False])),
            min_size=10,
            max_size=40,
        )
    )
    delays = st.lists(
        st.one_of(st.integers(-5, 60), st.integers(-8, 70), st.just(0)), min_size=1, max_size=3
    )
    records: list[tuple[bytes | None, int, Send | None]] = []
    for camera, start, person in events:
        for delay in draw(delays):
            one = Send(camera, start, start + delay, person)
            records.append((one.value(), one.sent, one))
    for value in draw(st.lists(st.sampled_from(JUNK), max_size=3)):
        records.append((value, draw(st.integers(0, 300)), None))
    shaken = [(record[1] + draw(st.integers(0, 55)), record) for record in records]
    ordered = [record for _, record in sorted(shaken, key=lambda pair: pair[0])]
    cuts = sorted(draw(st.lists(st.integers(0, len(ordered)), min_size=2, max_size=4)))
    return [ordered[a:b] for a, b in zip([0, *cuts], [*cuts, len(ordered)], strict=True)]


@settings(
    max_examples=4,
    phases=[Phase.generate],  # to look for a smaller example takes as many runs of the queries
    deadline=None,
    print_blob=True,
    suppress_health_check=[
        HealthCheck.function_scoped_fixture,
        HealthCheck.too_slow,
        HealthCheck.data_too_large,
    ],
)
@given(history=histories())
def test_any_order_repetition_and_split_gives_the_same_counts_and_archive(
    spark: SparkSession,
    bootstrap_servers: str,
    history: list[list[tuple[bytes | None, int, Send | None]]],
) -> None:
    with new_settings(bootstrap_servers) as run:
        for batch in history:
            send(bootstrap_servers, [(value, minute) for value, minute, _ in batch])
            run_to_end(spark, run)  # each is a batch of its own, and a restart
        records = [record for batch in history for record in batch]
        assert counted(bootstrap_servers) == expected_counts([one for *_, one in records if one])
        found = Counter(
            (row["device_id"], row["last_event"]["start_time"], row["timestamp"])
            for row in rows(run, "camera")
        )
        assert found == Counter(
            (
                f"cam{one.camera}",
                MIDNIGHT + timedelta(minutes=one.start),
                MIDNIGHT + timedelta(minutes=one.sent),
            )
            for *_, one in records
            if one
        )
        reasons = Counter(row["reason"] for row in rows(run, "quarantine"))
        assert reasons["malformed"] == sum(
            value in (b"{", JUNK[2], None) for value, _, _ in records
        )
        assert reasons["camera"] == sum(value == JUNK[1] for value, _, _ in records)
        assert reasons["future"] == sum(one.sent < one.start - 5 for *_, one in records if one)


def test_the_check_holds_on_what_the_queries_wrote(
    spark: SparkSession, bootstrap_servers: str
) -> None:
    odd: list[tuple[bytes | None, int]] = [
        (b"{}", 1),
        (b"{}{}", 1),
        (b'{"a": NaN}', 1),
        (None, 2),
        (b"\xff", 2),
        (
            b'{"devices":{"cameras":{"a":null,"b":{"device_id":"cam0","name":5,"is_online":"yes"}}}}',
            2,
        ),
        (
            b'{"devices":{"cameras":{"a":{"device_id":"cam1","web_url":"https://u:p@h/x?auth=c.1#f"}}}}',
            3,
        ),
        (
            b'{"metadata":{"access_token":"c.secret"},"devices":{"cameras":{"a":{"device_id":"cam1","name":[1],"app_url":"x?c.secret"}}}}',
            3,
        ),
        (
            b'{"devices":{"cameras":{"a":{"device_id":"c\\ud800","last_event":{"has_person":true,"start_time":"2026-11-20T00:03:00+00:00"}}}}}',
            3,
        ),
    ]
    for stamp in ("0001-01-01T00:00:00Z", "9999-12-31T23:59:59.999999Z", "1883-11-18T12:03:58Z"):
        odd.append(
            (
                b'{"devices":{"cameras":{"a":{"device_id":"cam3","last_event":{"has_person":true,"start_time":"%b"}}}}}'
                % stamp.encode(),
                4,
            )
        )
    with new_settings(bootstrap_servers) as run:
        send(
            bootstrap_servers,
            odd + [(Send(c, m, m + 1).value(), m + 1) for c in range(4) for m in range(90)],
        )
        run_to_end(spark, run)
        verdict = run_check(run)
        assert verdict.holds, [c for c in verdict.comparisons if not c.holds]
        assert "secret" not in repr(rows(run, "camera")) + repr(rows(run, "quarantine"))


def test_sightings_remembered_in_rocksdb_count_the_same_through_a_restart(
    spark: SparkSession, bootstrap_servers: str
) -> None:
    sends = [Send(c, m, m + delay) for m in range(150) for c in range(4) for delay in (0, 7)]
    provider = "spark.sql.streaming.stateStore.providerClass"
    before = spark.conf.get(provider)
    spark.conf.set(provider, STATE_STORES["rocksdb"])
    try:
        with new_settings(bootstrap_servers) as run:
            for part in (sends[:800], sends[600:]):
                send(bootstrap_servers, [(one.value(), one.sent) for one in part])
                run_to_end(spark, run)
            assert counted(bootstrap_servers) == expected_counts(sends)
            state = Path(run.checkpoints) / stats.NAME / "state"
            assert list(state.rglob("*.changelog"))
    finally:
        spark.conf.set(provider, before)


def test_batch_and_stream_give_the_same_counts(spark: SparkSession, bootstrap_servers: str) -> None:
    with new_settings(bootstrap_servers) as run:
        send(bootstrap_servers, [(Send(c, m, m).value(), m) for c in range(4) for m in range(150)])
        run_to_end(spark, run)
        locations = read_locations(spark, run.device_locations)
        batch = camera_stats(read_records(spark, run), locations, run).collect()
        with open_consumer(bootstrap_servers) as consumer:
            counts = Counts()
            counts.refresh(consumer)
        assert sorted(int(row["value"]) for row in batch) == sorted(counts.by_key.values())


def test_a_batch_cut_off_between_the_two_tables_is_completed(
    spark: SparkSession, bootstrap_servers: str
) -> None:
    with new_settings(bootstrap_servers) as run:
        send(bootstrap_servers, [(Send(0, 0, 0).value(), 0), (b"{", 1)])
        run_to_end(spark, run)
        # As a kill leaves it after the first table: the batch planned, not committed, and the
        # second table without it.
        for commit in Path(f"{run.checkpoints}/archive/commits").iterdir():
            commit.unlink()
        shutil.rmtree(f"{run.lake}/quarantine")
        run_to_end(spark, run)
        assert len(rows(run, "camera")) == 1
        assert [row["reason"] for row in rows(run, "quarantine")] == ["malformed"]


def test_archiving_again_without_the_checkpoint_is_refused(
    spark: SparkSession, bootstrap_servers: str
) -> None:
    with new_settings(bootstrap_servers) as run:
        send(bootstrap_servers, [(Send(0, 0, 0).value(), 0)])
        run_to_end(spark, run)
        shutil.rmtree(f"{run.checkpoints}/archive")
        with pytest.raises(UserError, match="would double"):
            archive.start(spark, run, ONCE)


def test_counts_begun_with_other_places_are_refused_and_can_be_rebuilt(
    spark: SparkSession, bootstrap_servers: str
) -> None:
    with new_settings(bootstrap_servers) as run:
        send(bootstrap_servers, [(Send(c, 10, 10).value(), 10) for c in range(4)])
        run_to_end(spark, run)
        moved = Path(run.device_locations).with_name("moved.csv")
        moved.write_text("device_id,zip_code\ncam0,10001\ncam1,10001\ncam2,10001\ncam3,10001\n")
        elsewhere = run.model_copy(update={"device_locations": str(moved)})
        with pytest.raises(UserError, match="--rebuild-counts"):
            stats.start(spark, elsewhere, ONCE)
        forget_counts(spark, elsewhere)
        run_to_end(spark, elsewhere)
        assert counted(bootstrap_servers) == {("10001", 0): 4}


def test_bad_records_are_looked_for_in_their_blocks(spark: SparkSession) -> None:
    records = spark.createDataFrame(
        [(0, 63), (0, 64), (0, 127), (0, 128), (1, 0), (1, 64)], "partition int, offset long"
    )
    wanted = archive.only(records, [Row(0, 1), Row(1, 0)])
    assert wanted is not None
    assert sorted(map(tuple, wanted.collect())) == [(0, 64), (0, 127), (1, 0)]
    assert archive.only(records, []) is None
    assert archive.only(records, [Row(0, n) for n in range(archive.MOST_LOOKED_FOR + 1)]) is records
