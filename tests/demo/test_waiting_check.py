"""`nest check` says what it waits for, and when that did not come; it leaves its verdict."""

import os
import signal
import subprocess
import sys
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from contract.last_check import read_last_check
from contract.progress import QueryProgress
from contract.queries import Query
from contract.settings import Settings
from contract.topics import PIPELINE_PROGRESS
from demo.health.check import awaited_query, keep_verdict, wait_for_first_batches
from tests.fixtures.kafka import append
from tests.sample.small_run import small_run
from tests.sample.verdicts import DIFFERS

BEGUN = QueryProgress(Query.STATS, "running", "2026-11-20T10:00:00.000Z", 0, end_offsets={0: 5})


def test_a_query_is_awaited_while_the_other_one_has_begun_and_goes_on() -> None:
    archive = replace(BEGUN, query=Query.ARCHIVE)
    not_yet = replace(archive, batch_id=-1, end_offsets={})
    assert awaited_query({}) is None
    assert awaited_query({Query.STATS: BEGUN}) == Query.ARCHIVE
    assert awaited_query({Query.STATS: BEGUN, Query.ARCHIVE: not_yet}) == Query.ARCHIVE
    assert awaited_query({Query.ARCHIVE: archive}) == Query.STATS
    assert awaited_query({Query.STATS: BEGUN, Query.ARCHIVE: archive}) is None
    assert awaited_query({Query.STATS: replace(BEGUN, state="stopped")}) is None
    other = replace(BEGUN, query="alerts")
    assert awaited_query({Query.STATS: BEGUN, Query.ARCHIVE: archive, "alerts": other}) is None


@pytest.mark.kafka
def test_a_batch_that_does_not_come_is_told_twice_and_the_check_goes_on(fresh_topics: str) -> None:
    append(fresh_topics, PIPELINE_PROGRESS.name, BEGUN.encode())
    told: list[str] = []
    wait_for_first_batches(Settings(bootstrap_servers=fresh_topics), told.append, timeout=1)
    assert told[0] == "Waiting for the first batch of archive, for 1 s at most."
    assert told[1].startswith("archive has committed nothing within 1 s. The check goes on")
    assert len(told) == 2


@pytest.mark.kafka
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_check_that_is_stopped_leaves_no_files(
    fresh_topics: str, tmp_path: Path, number: signal.Signals
) -> None:
    settings = small_run().write(fresh_topics, tmp_path)
    names = ("bootstrap_servers", "lake", "device_locations")
    environment = {f"NEST_{name.upper()}": getattr(settings, name) for name in names}
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    script = f"""
import os, sys
import check.gather
from demo.cli import main
def stop(*_, folder, **__):
    assert list(folder.iterdir())
    os.kill(os.getpid(), {number:d})
check.gather.recount_topic = stop
sys.argv = ["nest", "check", "--format", "json"]
main()
"""
    done = subprocess.run(
        [sys.executable, "-c", script],
        env={**os.environ, **environment, "NEST_STATE": str(tmp_path), "TMPDIR": str(scratch)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stdout) == (128 + number, "")
    assert done.stderr.strip() == "Stopped before the verdict."
    assert list(scratch.iterdir()) == []


def test_a_verdict_is_left_for_the_metrics_where_that_can_be_done(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    noon, verdict = datetime(2026, 11, 20, 12, tzinfo=UTC), DIFFERS
    keep_verdict(Settings(state=tmp_path), verdict, noon)
    left = read_last_check(tmp_path)
    assert left is not None
    assert (left.started_at, left.verdict) == (noon, verdict)
    (tmp_path / "last-check.json").unlink()
    (tmp_path / "last-check.json").mkdir()  # so that it cannot be replaced
    keep_verdict(Settings(state=tmp_path), verdict, noon)
    assert "The metrics and the dashboard will not know of this check" in capsys.readouterr().err
