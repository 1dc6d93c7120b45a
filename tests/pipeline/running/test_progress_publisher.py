"""The progress of each query is in its topic, through deaths, restarts and late reports."""

import json
import threading
from collections.abc import Mapping
from datetime import timedelta
from io import StringIO
from types import SimpleNamespace

import pytest
from rich.console import Console

from contract.kafka.connections import open_consumer
from contract.progress import ProgressLog, QueryProgress, newest_progress
from contract.queries import Query
from pipeline.lake.commits import TornCommit
from pipeline.lake.table_offset import TableOffset
from pipeline.running import progress_publisher
from pipeline.running.backlog import Backlog
from tests.pipeline.running.new_publisher import new_publisher


def report_of_stats(end: Mapping[str, Mapping[str, int]]) -> dict[str, object]:
    """Spark's report of a batch of stats that ends there."""
    return {
        "name": "stats",
        "id": "12ab",
        "timestamp": "2026-11-20T10:00:00.000Z",
        "batchId": 3,
        "sources": [{"endOffset": end}],
    }


@pytest.mark.kafka
def test_a_query_of_an_earlier_run_that_was_killed_is_running_again(fresh_topics: str) -> None:
    earlier = QueryProgress(
        "sightings",
        "stopped",
        "2026-11-20T10:00:00.000Z",
        batch_id=3,
        end_offsets={0: 5},
        reason="Spark's Java process was killed",
    )
    publisher = new_publisher(fresh_topics, earlier={"sightings": earlier})
    publisher.publish_state("sightings", "running")
    publisher.publish_state("alerts", "running")
    publisher.close([], {})
    latest = newest_progress(fresh_topics)
    found = {name: (each.state, each.reason, each.end_offsets) for name, each in latest.items()}
    assert found == {"sightings": ("running", None, {0: 5}), "alerts": ("running", None, {})}


@pytest.mark.kafka
def test_when_one_query_dies_the_others_are_stopped_too(fresh_topics: str) -> None:
    waits = {"stats": timedelta(seconds=3)}
    publisher = new_publisher(fresh_topics, longest_waits=waits)
    publisher.publish_state("stats", "running")
    publisher.publish_state("archive", "stopped", "it died")
    publisher.close([Query.STATS, Query.ARCHIVE], {})
    latest = newest_progress(fresh_topics)
    found = {name: (each.state, each.reason) for name, each in latest.items()}
    assert found == {"stats": ("stopped", None), "archive": ("stopped", "it died")}
    assert latest["stats"].longest_wait_ms == 3_000


@pytest.mark.kafka
def test_a_report_that_comes_late_does_not_revive_its_query(fresh_topics: str) -> None:
    publisher = new_publisher(fresh_topics)
    publisher.publish_state("stats", "running")
    publisher.publish_state("stats", "restarting", "it died")
    late = report_of_stats({"nest-logs": {"0": 7}})
    publisher.publish_report(json.dumps(late))
    publisher.close([], {})
    latest = newest_progress(fresh_topics)
    found = latest["stats"]
    assert (found.state, found.reason, found.end_offsets) == ("restarting", "it died", {0: 7})


@pytest.mark.kafka
def test_a_query_that_reports_no_batch_says_every_ten_seconds_that_it_runs(
    fresh_topics: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    seconds = iter(range(0, 100, 4))
    clock = SimpleNamespace(monotonic=lambda: next(seconds))
    of_killed_run = QueryProgress("archive", "running", "2026-11-20T10:00:00.000Z")
    publisher = new_publisher(fresh_topics, earlier={"archive": of_killed_run})
    monkeypatch.setattr(progress_publisher, "time", clock)
    publisher.publish_state("stats", "running")  # at 0 s
    for _ in range(4):  # at 4, 8, 12 and, since that was published at 16, 20 s
        publisher.heartbeat([Query.STATS])
    publisher.publish_state("stats", "restarting", "it died")
    for _ in range(10):
        publisher.heartbeat([Query.STATS])
    publisher.close([], {})
    log = ProgressLog()
    with open_consumer(fresh_topics) as consumer:
        reports = [each.progress for each in log.refresh(consumer)]
    assert [(each.query, each.state) for each in reports] == [
        ("stats", "running"),
        ("stats", "running"),
        ("stats", "restarting"),
    ]


@pytest.mark.kafka
def test_a_query_that_has_had_no_batch_is_stopped_too(fresh_topics: str) -> None:
    publisher = new_publisher(fresh_topics)
    publisher.publish_state("sightings", "running")
    done = report_of_stats({})
    publisher.close([Query.STATS, Query.SIGHTINGS, Query.ALERTS], {Query.STATS: done})
    latest = newest_progress(fresh_topics)
    assert {name: each.state for name, each in latest.items()} == {
        "stats": "stopped",
        "sightings": "stopped",
        "alerts": "stopped",
    }
    again = new_publisher(fresh_topics, earlier=latest)
    again.publish_state("sightings", "running")
    again.close([], {})
    assert newest_progress(fresh_topics)["sightings"].restarts == 0


@pytest.mark.kafka
def test_a_restart_is_counted_whether_the_query_died_or_the_pipeline_was_killed(
    fresh_topics: str,
) -> None:
    def run(*, then: str | None = None, **earlier: QueryProgress) -> dict[str, QueryProgress]:
        """Return the progress of one query, by name, after a run of the pipeline."""
        publisher = new_publisher(fresh_topics, earlier=earlier)
        publisher.publish_state("stats", "running")
        publisher.publish_state("stats", "restarting", "it died (attempt 1, in 1 s)")
        publisher.publish_state("stats", "running")
        publisher.publish_report(json.dumps(report_of_stats({})))
        if then:
            publisher.publish_state("stats", "stopped", then)
        publisher.close([], {})
        return {"stats": newest_progress(fresh_topics)["stats"]}

    killed = run()
    assert killed["stats"].restarts == 1
    died = run(then="it died", **killed)
    assert died["stats"].restarts == 3, "the killed run was started again, and the query in it"
    assert run(**died)["stats"].restarts == 5


@pytest.mark.kafka
def test_progress_that_the_topic_does_not_take_is_said_once_for_all(fresh_topics: str) -> None:
    said = StringIO()
    publisher = new_publisher(fresh_topics, console=Console(file=said))
    for _ in range(3):
        publisher.publish_state("stats", "restarting", "too long for a record" * 100_000)
    publisher.close([], {})
    assert said.getvalue().count("progress not published") == 1
    assert newest_progress(fresh_topics) == {}


@pytest.mark.kafka
def test_nobody_waits_while_the_backlog_of_a_table_is_read_and_a_torn_commit_hides_no_report(
    fresh_topics: str,
) -> None:
    reads, goes_on = threading.Event(), threading.Event()

    def read_backlog(offset: TableOffset) -> Backlog:
        reads.set()
        goes_on.wait(60)
        raise TornCommit("a torn commit")

    end = {"reservoirId": "7", "reservoirVersion": 4, "index": 0, "isStartingVersion": False}
    source = {"description": "DeltaSource[file:/lake/camera]", "endOffset": end}
    report = report_of_stats({}) | {"name": "camera_status", "sources": [source]}
    publisher = new_publisher(fresh_topics, read_backlog=read_backlog)
    slow = threading.Thread(target=publisher.publish_report, args=(json.dumps(report),))
    slow.start()
    assert reads.wait(60)
    state = threading.Thread(
        target=publisher.publish_state, args=("stats", "restarting", "it died")
    )
    state.start()
    state.join(30)
    is_published = not state.is_alive()
    goes_on.set()
    for thread in (slow, state):
        thread.join()
    publisher.close([], {})
    assert is_published
    latest = newest_progress(fresh_topics)
    assert (latest["camera_status"].batch_id, latest["camera_status"].end_version) == (3, 3)
