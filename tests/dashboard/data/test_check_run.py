"""Runs of the check: one at a time, with progress for all viewers."""

import json
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from contract.last_check import LastCheck, keep_last_check
from contract.polling import poll_until
from dashboard.data.check_run import CheckRun, CheckRunner, missing_packages
from tests.sample.small_run import small_run
from tests.sample.verdicts import DIFFERS, HOLDS

PROGRESS = (
    "print(json.dumps({'done': 5, 'total': 10, 'values': 77}), file=sys.stderr, flush=True)\n"
)


def python(code: str) -> tuple[str, ...]:
    return (sys.executable, "-c", f"import json, sys, time, os\n{code}")


def wait_for_end(runner: CheckRunner) -> CheckRun:
    return poll_until(lambda: runner.current.ended_at and runner.current, "the check's end", 120)


def test_a_run_shows_its_progress_and_then_its_verdict(tmp_path: Path):
    may_end = tmp_path / "may end"
    runner = CheckRunner(
        python(
            f"{PROGRESS}while not os.path.exists({str(may_end)!r}): time.sleep(0.01)\n"
            f"print({json.dumps(HOLDS.as_json())!r})"
        )
    )
    runner.start()
    poll_until(lambda: runner.current.done == 5, "progress", 30)
    assert (runner.current.total, runner.current.is_running) == (10, True)
    assert runner.current.values == 77
    assert runner.last_completed.holds is None
    may_end.touch()
    run = wait_for_end(runner)
    assert (run.verdict, run.problem) == (HOLDS, None)
    assert runner.last_completed.holds is True


def test_only_one_run_is_started_at_a_time(tmp_path: Path):
    runs, may_end = tmp_path / "runs", tmp_path / "may end"
    runner = CheckRunner(
        python(
            f"open({str(runs)!r}, 'a').write('x')\n"
            f"while not os.path.exists({str(may_end)!r}): time.sleep(0.01)\n"
            f"print({json.dumps(HOLDS.as_json())!r})"
        )
    )
    for _ in range(5):
        runner.start()
    may_end.touch()
    wait_for_end(runner)
    assert runs.read_text() == "x"
    runner.start()
    poll_until(lambda: runs.read_text() == "xx", "the next run", 30)
    wait_for_end(runner)


def test_a_failed_run_has_a_problem_without_credentials_and_the_last_verdict_stays():
    runner = CheckRunner(python(f"print({json.dumps(DIFFERS.as_json())!r}); sys.exit(1)"))
    runner.start()
    assert wait_for_end(runner).holds is False
    runner.command = python("sys.exit('No Kafka broker answers. access_token=c.secret')")
    runner.start()
    problem = poll_until(lambda: runner.current.problem, "the problem", 30)
    assert "No Kafka broker answers" in problem
    assert "c.secret" not in problem
    assert runner.last_completed.holds is False


def test_a_run_can_be_stopped():
    runner = CheckRunner(python(f"{PROGRESS}time.sleep(600)"))
    runner.start()
    poll_until(lambda: runner.current.done, "progress", 30)
    runner.stop()
    run = wait_for_end(runner)
    assert (run.was_stopped, run.problem, run.verdict) == (True, None, None)


def test_a_run_that_cleans_up_when_it_is_stopped_was_stopped_as_well():
    handler = "import signal; signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))\n"
    runner = CheckRunner(python(f"{handler}{PROGRESS}time.sleep(600)"))
    runner.start()
    poll_until(lambda: runner.current.done, "progress", 30)
    runner.stop()
    run = wait_for_end(runner)
    assert (run.was_stopped, run.problem, run.verdict) == (True, None, None)


def test_a_run_that_was_killed_has_a_problem():
    runner = CheckRunner(python("os.kill(os.getpid(), 9)"))
    runner.start()
    run = wait_for_end(runner)
    assert (run.was_stopped, run.problem) == (False, "exit code -9")


def test_a_command_that_does_not_exist_is_a_problem():
    runner = CheckRunner(("/nowhere/nest",))
    runner.start()
    assert "FileNotFoundError" in wait_for_end(runner).problem


def test_the_last_verdict_is_kept_through_restarts_whoever_ran_the_check(tmp_path: Path):
    runner = CheckRunner(state=tmp_path)
    runner.take_kept_verdict()
    assert runner.last_completed.holds is None
    noon = datetime(2026, 11, 20, 12, tzinfo=UTC)
    keep_last_check(tmp_path, LastCheck(noon, noon, HOLDS))
    runner.take_kept_verdict()
    assert runner.last_completed == CheckRun(noon, noon, verdict=HOLDS)
    own = CheckRun(noon, noon + timedelta(seconds=1), verdict=DIFFERS)
    runner.last_completed = own
    runner.take_kept_verdict()
    assert runner.last_completed == own


def test_a_run_that_failed_is_told_of_until_a_check_elsewhere_has_a_verdict(tmp_path: Path):
    noon = datetime(2026, 11, 20, 12, tzinfo=UTC)
    failed = CheckRun(noon, noon, problem="No Kafka broker answers")
    runner = CheckRunner(state=tmp_path, current=failed)
    keep_last_check(tmp_path, LastCheck(noon, noon - timedelta(seconds=1), HOLDS))
    runner.take_kept_verdict()
    assert runner.current == failed
    later = noon + timedelta(seconds=1)
    keep_last_check(tmp_path, LastCheck(noon, later, HOLDS))
    runner.take_kept_verdict()
    assert runner.current == CheckRun(noon, later, verdict=HOLDS)


@pytest.mark.kafka
def test_the_command_is_nest_check(fresh_topics, tmp_path: Path, monkeypatch):
    settings = small_run().write(fresh_topics, tmp_path)
    for name in ("bootstrap_servers", "lake", "device_locations"):
        monkeypatch.setenv(f"NEST_{name.upper()}", getattr(settings, name))
    monkeypatch.setenv("NEST_STATE", str(tmp_path))
    assert missing_packages() == []
    runner = CheckRunner()
    runner.start()
    run = wait_for_end(runner)
    assert run.problem is None
    assert (run.holds, run.done, run.total) == (True, 14, 14)
    assert run.verdict.values >= run.values > 0
    restarted = CheckRunner(state=tmp_path)
    restarted.take_kept_verdict()
    assert restarted.last_completed.verdict == run.verdict
