"""A command that runs to its end, or says in a sentence why it does not."""

import sys

import pytest

from contract.errors import UserError
from contract.run_to_end import run_to_end


def python(code: str, timeout: float | None = None) -> str:
    return run_to_end([sys.executable, "-c", code], "job.py failed", timeout=timeout)


def test_the_output_of_a_command_is_returned() -> None:
    assert python("print(7)") == "7\n"


def test_a_command_that_fails_says_what_it_printed_last() -> None:
    with pytest.raises(UserError, match=r"^job.py failed:\nno disk$"):
        python("import sys; sys.exit('no disk')")


def test_a_command_that_does_not_end_in_time_is_one_sentence() -> None:
    with pytest.raises(UserError, match=r"^job.py failed: it did not end within 0.2 s.$"):
        python("import signal; signal.pause()", timeout=0.2)
