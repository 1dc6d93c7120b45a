"""Archive and counts together on real Kafka, Delta and checkpoints."""

import shutil
import threading
from collections import Counter
from datetime import timedelta

import hypothesis
import pytest
from hypothesis import HealthCheck, Phase, given
from hypothesis import strategies as st
from pyspark.sql import SparkSession
from rich.console import Console

from check import run_check
from contract.errors import UserError
from contract.settings import Settings
from pipeline.app import run_queries
from pipeline.queries import archive, stats
from tests.pipeline.queries.runs import (
    MIDNIGHT,
    Send,
    counted,
    expected_counts,
    new_settings,
    rows,
    run_to_end,
    send,
)

pytestmark = [pytest.mark.spark, pytest.mark.kafka]

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
    disordered = [(record[1] + draw(st.integers(0, 55)), record) for record in records]
    ordered = [record for _, record in sorted(disordered, key=lambda pair: pair[0])]
    cuts = sorted(draw(st.lists(st.integers(0, len(ordered)), min_size=2, max_size=4)))
    return [ordered[a:b] for a, b in zip([0, *cuts], [*cuts, len(ordered)], strict=True)]


@hypothesis.settings(
    max_examples=4,
    phases=[Phase.generate],  # shrinking an example would run the queries for each attempt
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
    with new_settings(bootstrap_servers) as settings:
        for batch in history:
            send(bootstrap_servers, [(value, minute) for value, minute, _ in batch])
            run_to_end(spark, settings)  # each is a batch of its own, and a restart
        records = [record for batch in history for record in batch]
        assert counted(bootstrap_servers) == expected_counts([one for *_, one in records if one])
        found = Counter(
            (row["device_id"], row["last_event"]["start_time"], row["timestamp"])
            for row in rows(settings, "camera")
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
        reasons = Counter(row["reason"] for row in rows(settings, "quarantine"))
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
    with new_settings(bootstrap_servers) as settings:
        send(
            bootstrap_servers,
            odd + [(Send(c, m, m + 1).value(), m + 1) for c in range(4) for m in range(90)],
        )
        run_to_end(spark, settings)
        verdict = run_check(settings)
        assert verdict.holds, [c for c in verdict.comparisons if not c.holds]
        assert "secret" not in repr(rows(settings, "camera")) + repr(rows(settings, "quarantine"))


def test_nothing_is_counted_beside_an_archive_that_is_refused(
    spark: SparkSession, settings: Settings
) -> None:
    """Live the counts start before the archive, which looks at its tables and checkpoint first."""
    bootstrap = settings.kafka.bootstrap_servers
    send(bootstrap, [(Send(0, 1, 2).value(), 2)])
    run_to_end(spark, settings)
    before = counted(bootstrap)
    shutil.rmtree(f"{settings.checkpoints}/{archive.NAME}")
    send(bootstrap, [(Send(1, 1, 2).value(), 2)])
    with pytest.raises(UserError, match="would double"):
        run_queries(
            spark,
            settings,
            threading.Event(),
            Console(quiet=True),
            once=False,
            queries=(stats, archive),
        )
    assert counted(bootstrap) == before
