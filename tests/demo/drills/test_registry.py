"""The drills are data: each says what it does, what one sees, how it heals and what it shows."""

import re

import pytest

from contract.errors import UserError
from contract.queries import Query
from demo.drills.registry import DRILLS, drills_table, find_drill
from demo.drills.service_control import as_typed


@pytest.mark.parametrize("name", DRILLS)
def test_every_drill_says_all_that_people_want_to_know(name: str) -> None:
    drill = DRILLS[name]
    assert all((drill.does, drill.watch_for, drill.heals, drill.shows))
    assert drill.heals.endswith(".")
    assert drill.does[0].islower()
    if drill.refusal:
        re.compile(drill.refusal.pattern)
        assert drill.refusal.says
        assert drill.refusal.mend


def test_there_are_as_many_as_the_runbook_promises() -> None:
    assert len(DRILLS) >= 30


def test_a_command_is_shown_as_one_types_it() -> None:
    assert (
        as_typed(("NEST_LAKE=here", "pipeline", "--once")) == "NEST_LAKE=here nest pipeline --once"
    )
    assert as_typed(("repair", "archive")) == "nest repair archive"


def test_commands_that_mend_name_queries_that_exist() -> None:
    commands = [each for drill in DRILLS.values() if drill.refusal for each in drill.refusal.mend]
    assert {each[1] for each in commands if each[0] == "repair"} <= set(Query)


def test_a_drill_is_found_by_its_name_and_a_wrong_one_names_those_near_it() -> None:
    assert find_drill("kill-kafka").name == "kill-kafka"
    with pytest.raises(UserError, match="kill-kafka"):
        find_drill("kill-kafk")
    with pytest.raises(UserError, match="nest drill list"):
        find_drill("xyz")


def test_the_list_has_a_line_for_each() -> None:
    assert drills_table().row_count == len(DRILLS)
