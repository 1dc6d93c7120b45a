"""The storm: what it will do follows from its seed, and its rounds are summed up."""

import random

from demo.commands.storm import summary
from demo.drills.storm import StormRound, plan


def test_the_same_seed_plans_the_same_rounds() -> None:
    first, again, other = (
        [plan(random.Random(f"{seed} {number}")) for number in range(20)] for seed in (7, 7, 8)
    )
    assert first == again != other
    assert all(2 <= len(actions) <= 5 for actions in first)


def test_the_summary_counts_actions_and_rounds_that_held() -> None:
    rounds = [
        StormRound(1, ("kill Kafka", "send dirt"), 10.0, 100, 30, ()),
        StormRound(2, ("kill Kafka",), 10.0, 200, 30, ("counts that differ: 1",)),
    ]
    table = summary(rounds)
    assert table.title == "The check held in 1 of 2 rounds."
    assert list(table.columns[1].cells) == ["2", "1"]
