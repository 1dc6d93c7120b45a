"""Dirt that was injected on purpose is counted by kind, and so is what was caught of it."""

from collections.abc import Callable

import pytest

from check import Verdict
from check.dirt import DirtCounts, dirt_kind
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
