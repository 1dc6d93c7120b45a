"""Dirt that was injected on purpose is counted by kind, and so is what was caught of it."""

import hashlib
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import orjson
import pytest
from kafka.consumer.fetcher import ConsumerRecord

from check import Verdict
from check.dirt import DirtCounts, dirt_kind
from check.forgotten import ForgottenIds
from check.recount import Recount
from check.rules.instants import micros
from check.sightings import Sightings
from tests.sample.small_run import SmallRun, small_run


@pytest.mark.kafka
def test_injected_dirt_is_compared_with_what_was_caught_of_it(
    check: Callable[[SmallRun], Verdict],
) -> None:
    run = small_run()
    run.dirt = {(0, 2): "malformed", (0, 4): "duplicate", (2, 2): "future", (3, 1): "malformed"}
    run.dirt |= {(1, 0): "late", (2, 0): "unplaced", (0, 0): "a kind of somebody else"}
    run.quarantine.remove(run.quarantined("malformed"))
    run.archive.remove(run.row("b1"))
    assert {each.kind: (each.injected, each.caught) for each in check(run).dirt} == {
        "a kind of somebody else": (1, 1),
        "duplicate": (1, 1),
        "future": (1, 1),
        "late": (1, 0),
        "malformed": (2, 1),
        "unplaced": (1, 1),
    }


@pytest.mark.parametrize(
    ("forgotten", "uncaught"),
    [("anna", {"malformed": (1, 0), "future": (1, 0)}), ("cam1", {"malformed": (2, 0)})],
)
def test_dirt_that_is_forgotten_is_not_called_uncaught(
    forgotten: str, uncaught: dict[str, tuple[int, int]], tmp_path: Path
) -> None:
    digest = hashlib.sha256(f"salt{forgotten}".encode()).hexdigest()
    recount = Recount(
        clock_skew=micros(timedelta(minutes=5)),
        lateness=micros(timedelta(hours=1)),
        archive_offsets={0: 4},
        stats_offsets={},
        sightings_offsets={},
        sightings=Sightings(tmp_path),
        forgotten=ForgottenIds("salt", frozenset({digest})),
    )
    tomorrow = {"device_id": "cam1", "last_event": {"start_time": "2026-11-21T12:00:00Z"}}
    document = orjson.dumps({"devices": {"cameras": {"key": tomorrow}}})
    for home, kind, value in (
        ("anna", "malformed", b"{"),
        ("bert", "malformed", b"{"),
        ("bert", "future", document),
    ):
        recount.add_record(marked_record(home, kind, value), [], [])
    found = {each.kind: (each.injected, each.caught) for each in recount.dirt.kinds()}
    assert found == uncaught


def marked_record(home: str, kind: str, value: bytes) -> ConsumerRecord:
    fields = dict.fromkeys(ConsumerRecord._fields, None) | {
        "partition": 0,
        "offset": 0,
        "timestamp": int(datetime(2026, 11, 20, 12, tzinfo=UTC).timestamp() * 1000),
        "key": home.encode(),
        "value": value,
        "headers": [("dirt", kind.encode())],
    }
    return ConsumerRecord(**fields)


def test_of_very_many_kinds_the_last_are_counted_together() -> None:
    dirt = DirtCounts()
    for number in range(100):
        dirt.add(f"kind {number}", [], [], [])
    kinds = dirt.kinds()
    assert len(kinds) == 21
    assert {each.kind: each.injected for each in kinds}["other"] == 80


def test_the_header_names_the_kind_of_dirt() -> None:
    assert dirt_kind([]) is None
    assert dirt_kind([("trace", b"late")]) is None
    assert dirt_kind([("trace", b"1"), ("dirt", b"late")]) == "late"
    assert dirt_kind([("dirt", None)]) == ""
    assert dirt_kind([("dirt", b"\xff" * 100)]) == "\ufffd" * 40
