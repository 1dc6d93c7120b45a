"""A run of the check from the page: one at a time, its progress seen by all."""

import json
import sys
from pathlib import Path

import pytest

from contract.polling import poll_until
from dashboard.data.check_run import Check, missing_packages
from tests.check.small_run import small_run

VERDICT = {"holds": True, "comparisons": [], "notes": [], "dirt": []}


def program(text: str) -> tuple[str, ...]:
    return (sys.executable, "-c", f"import json, sys, time, os\n{text}")


def ended(check: Check):
    return poll_until(lambda: check.proof.ended and check.proof, "the check's end", 30)


def test_progress_is_told_while_it_runs_and_the_verdict_when_it_has_ended(tmp_path: Path):
    go = tmp_path / "go"
    check = Check(
        program(
            "print(json.dumps({'done': 5, 'total': 10}), file=sys.stderr, flush=True)\n"
            f"while not os.path.exists({str(go)!r}): time.sleep(0.01)\n"
            f"print({json.dumps(VERDICT)!r})"
        )
    )
    check.start()
    poll_until(lambda: check.proof.done == 5, "progress", 30)
    assert (check.proof.total, check.proof.is_running, check.last.holds) == (10, True, None)
    go.touch()
    assert ended(check).verdict == VERDICT
    assert (check.last.holds, check.proof.problem) == (True, None)


def test_a_second_viewer_starts_no_second_run(tmp_path: Path):
    runs, go = tmp_path / "runs", tmp_path / "go"
    check = Check(
        program(
            f"open({str(runs)!r}, 'a').write('x')\n"
            f"while not os.path.exists({str(go)!r}): time.sleep(0.01)\n"
            f"print({json.dumps(VERDICT)!r})"
        )
    )
    for _ in range(5):
        check.start()
    go.touch()
    ended(check)
    assert runs.read_text() == "x"
    check.start()
    poll_until(lambda: runs.read_text() == "xx", "the next run", 30)
    ended(check)


def test_what_went_wrong_is_told_and_the_last_verdict_stays():
    check = Check(program(f"print({json.dumps(VERDICT | {'holds': False})!r}); sys.exit(1)"))
    check.start()
    assert ended(check).holds is False
    check.command = program("sys.exit('No Kafka broker answers. access_token=c.secret')")
    check.start()
    poll_until(lambda: check.proof.problem, "the problem", 30)
    assert "No Kafka broker answers" in check.proof.problem
    assert "c.secret" not in check.proof.problem
    assert check.last.holds is False


def test_a_run_can_be_stopped():
    check = Check(program("print(os.getpid(), file=sys.stderr, flush=True)\ntime.sleep(600)"))
    check.start()
    poll_until(lambda: check._process, "the process", 30)
    check.stop()
    assert ended(check).problem == "The check was stopped."


def test_a_command_that_is_not_there_is_told():
    check = Check(("/nowhere/nest",))
    check.start()
    assert "FileNotFoundError" in ended(check).problem


@pytest.mark.kafka
def test_the_command_is_nest_check_itself(fresh_topics, tmp_path: Path, monkeypatch):
    settings = small_run().write(fresh_topics, tmp_path)
    for name in ("bootstrap_servers", "lake", "device_locations"):
        monkeypatch.setenv(f"NEST_{name.upper()}", getattr(settings, name))
    assert missing_packages() == []
    check = Check()
    check.start()
    proof = ended(check)
    assert proof.problem is None
    assert (proof.holds, proof.done, proof.total) == (True, 14, 14)
