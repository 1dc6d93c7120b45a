"""The command line: quick to start, and errors are sentences."""

import os
import subprocess
import sys

import pytest


def python(
    *arguments: str, timeout: float = 60, **environment: str
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
        timeout=timeout,
    )


def nest(
    *arguments: str, timeout: float = 60, **environment: str
) -> subprocess.CompletedProcess[str]:
    return python("-m", "demo.cli", *arguments, timeout=timeout, **environment)


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (["repport"], "No such command"),
        (["report", "--format", "xml"], "xml"),
        (["run", "--messages", "0"], "--messages"),
        (["tail"], "Missing argument"),
    ],
)
def test_a_usage_error_exits_2_and_says_what_is_wrong(arguments: list[str], word: str) -> None:
    done = nest(*arguments, TERM="dumb", COLUMNS="200")
    assert done.returncode == 2
    assert word in done.stderr


def test_a_setting_that_cannot_be_used_is_named_without_a_traceback() -> None:
    done = nest("report", NEST_LATENESS="soon", NEST_THRESHOLD="-1")
    assert done.returncode == 1
    assert "NEST_LATENESS=soon" in done.stderr
    assert "NEST_THRESHOLD=-1" in done.stderr
    assert "Traceback" not in done.stderr


def test_no_command_loads_what_it_does_not_need() -> None:
    script = (
        "import sys, demo.cli as c\n"
        "try: c.app(['report'])\n"
        "except c.UserError: pass\n"
        "print(sorted({'pyspark', 'streamlit', 'faker', 'pandas', 'deltalake'} & {*sys.modules}))"
    )
    done = python("-c", script, NEST_BOOTSTRAP_SERVERS="localhost:1")
    assert done.stdout.strip() == "[]", done.stderr
