"""A command that a drill runs has to succeed, or to refuse with what the drill expects."""

import pytest

from contract.errors import UserError
from contract.settings import Settings
from demo.drills.running_demo import RunningDemo
from demo.drills.service_control import CommandResult
from tests.demo.drills.test_running_demo import NoServices


class CommandsEndWith(NoServices):
    """A demo in which every command ends in the same way."""

    def __init__(self, exit_code: int, errors: str = "") -> None:
        self._result = CommandResult(exit_code, "", errors)

    def nest(self, *words: str) -> CommandResult:
        return self._result


def demo_that_ends_with(exit_code: int, errors: str = "") -> RunningDemo:
    return RunningDemo(Settings(), CommandsEndWith(exit_code, errors))


def test_a_command_that_fails_is_named_as_one_types_it_with_the_end_of_its_errors() -> None:
    assert demo_that_ends_with(0).require_success("maintain").exit_code == 0
    failing = demo_that_ends_with(3, "x" * 10_000 + "why")
    with pytest.raises(UserError, match=r"^`NEST_RATE=1 nest maintain` ended with 3:\nx+why$") as e:
        failing.require_success("NEST_RATE=1", "maintain")
    assert len(str(e.value)) < 3_000


def test_a_refusal_has_to_say_why() -> None:
    refusing = demo_that_ends_with(1, "\x1b[31mA table\nis torn.\x1b[0m")
    assert refusing.require_refusal("pipeline", says=r"table is torn\.").exit_code == 1
    with pytest.raises(UserError, match=r"`nest pipeline` had to refuse with 'gone', and ended"):
        refusing.require_refusal("pipeline", says="gone")


def test_a_command_that_succeeds_has_not_refused() -> None:
    with pytest.raises(UserError, match="and ended with 0"):
        demo_that_ends_with(0).require_refusal("pipeline", says="")
