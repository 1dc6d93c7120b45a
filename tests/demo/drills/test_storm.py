"""The storm: what it will do follows from its seed, and its rounds are summed up."""

import json
import random
import sys
from pathlib import Path

import pytest
from rich.console import Console

from contract.settings import Settings
from demo.commands import storm as command
from demo.commands.storm import run_storm, summary
from demo.drills.storm import StormRound, plan
from demo.stack.service import Service


def test_the_same_seed_plans_the_same_rounds() -> None:
    first, again, other = (
        [plan(random.Random(f"{seed} {number}")) for number in range(20)] for seed in (7, 7, 8)
    )
    assert first == again != other
    assert all(2 <= len(actions) <= 5 for actions in first)


def test_a_seed_keeps_its_meaning() -> None:
    """Who has found a fault by a seed finds it again."""
    names = [name for name, _ in plan(random.Random("7 1"))]
    assert names == ["kill Kafka", "restart"]


def test_a_file_that_cannot_be_written_is_named_before_the_demo_starts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    demo = Service("nest up", [sys.executable, "-c", ""], log=tmp_path / "up.log")
    monkeypatch.setattr(command, "scratch_settings", lambda settings, *arguments: settings)
    monkeypatch.setattr(command, "scratch_demo", lambda settings: demo)
    with pytest.raises(FileNotFoundError):
        run_storm(Settings(state=tmp_path), range(1), Console(quiet=True), tmp_path / "no" / "out")
    assert not (tmp_path / "up.log").exists()


@pytest.mark.parametrize(
    ("differences", "holds"), [((), True), (("counts that differ: 1",), False)]
)
def test_it_holds_if_every_round_does_and_each_is_a_line_of_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, differences: tuple[str, ...], holds: bool
) -> None:
    """The rounds are given here; `make storm` goes through real ones."""
    demo = Service(
        "nest up", [sys.executable, "-c", "import time; time.sleep(600)"], log=tmp_path / "up.log"
    )
    rounds = [
        StormRound(1, ("kill Kafka",), 10.0, 100, 30, differences),
        StormRound(2, ("restart",), 20.0, 200, 30, ()),
    ]
    monkeypatch.setattr(command, "scratch_settings", lambda settings, *arguments: settings)
    monkeypatch.setattr(command, "scratch_demo", lambda settings: demo)
    monkeypatch.setattr(command, "find_running_demo", lambda settings: None)
    monkeypatch.setattr(command, "storm", lambda running, seed, numbers: iter(rounds))
    console = Console(record=True, width=100)
    out = tmp_path / "rounds.jsonl"
    settings = Settings(state=tmp_path, device_locations="data/device_locations.csv")
    assert run_storm(settings, range(1, 3), console, out) == holds
    lines = [json.loads(line) for line in out.read_text().splitlines()]
    assert [(each["number"], each["records"], each["comparisons"]) for each in lines] == [
        (1, 100, 30),
        (2, 200, 30),
    ]
    printed = console.export_text()
    assert f"The check held in {2 if holds else 1} of 2 rounds." in printed
    assert ("counts that differ: 1" in printed) != holds


def test_the_summary_counts_actions_and_rounds_that_held() -> None:
    rounds = [
        StormRound(1, ("kill Kafka", "send dirt"), 10.0, 100, 30, ()),
        StormRound(2, ("kill Kafka",), 10.0, 200, 30, ("counts that differ: 1",)),
    ]
    table = summary(rounds)
    assert table.title == "The check held in 1 of 2 rounds."
    assert list(table.columns[1].cells) == ["2", "1"]
