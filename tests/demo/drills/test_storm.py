"""The storm: what it will do follows from its seed, and through all of it nothing is lost."""

import json
import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

from contract.settings import load_settings
from demo.commands.storm import summary
from demo.drills.storm import Round, plan


def test_the_same_seed_plans_the_same_rounds() -> None:
    first, again, other = (
        [plan(random.Random(f"{seed} {number}")) for number in range(20)] for seed in (7, 7, 8)
    )
    assert first == again != other
    assert all(2 <= len(actions) <= 5 for actions in first)


def test_the_summary_counts_actions_and_rounds_that_held() -> None:
    rounds = [
        Round(1, ("kill Kafka", "send dirt"), 10.0, 100, 30, ()),
        Round(2, ("kill Kafka",), 10.0, 200, 30, ("counts that differ: 1",)),
    ]
    table = summary(rounds)
    assert table.title == "The check held in 1 of 2 rounds."
    assert list(table.columns[1].cells) == ["2", "1"]


@pytest.mark.kafka
@pytest.mark.spark
@pytest.mark.timeout(2700)
def test_rounds_of_a_storm_lose_nothing_and_double_nothing(tmp_path: Path) -> None:
    state = tmp_path / "nest"
    state.mkdir()
    (state / "jars").symlink_to(load_settings().state.resolve() / "jars")
    out = tmp_path / "rounds.jsonl"
    done = subprocess.run(
        [sys.executable, "-m", "demo.cli", "storm", "--rounds", "2", "--out", str(out)],
        env={**os.environ, "NEST_STATE": str(state), "NEST_SEED": "3", "COLUMNS": "200"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "The check held in 2 of 2 rounds." in done.stdout
    rounds = [json.loads(line) for line in out.read_text().splitlines()]
    assert [each["number"] for each in rounds] == [1, 2]
    assert all(each["comparisons"] > 20 for each in rounds)
