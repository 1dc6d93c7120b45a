"""The application: when a query is refused, and what is told when one gives up."""

import json
import threading
from datetime import timedelta
from pathlib import Path

import pytest
from pyspark.sql import SparkSession
from pyspark.sql.streaming.query import StreamingQuery
from rich.console import Console

from contract.errors import UserError
from contract.lake import CAMERA
from contract.polling import poll_until
from contract.progress import newest_progress
from contract.queries import Query
from contract.settings import Settings
from contract.topics import NEST_LOGS
from pipeline import app
from pipeline.app import run_queries
from pipeline.queries import alerts, archive, camera_status
from pipeline.running.progress_publisher import ProgressPublisher
from tests.pipeline.queries.runs import Send, new_settings, rows, run_to_end, send

pytestmark = [pytest.mark.kafka, pytest.mark.spark]


class CountingQuery:
    """A query of which at least one batch has finished."""

    NAME = Query.STATS

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.starting_offsets = ""

    def start(self, spark: SparkSession, settings: Settings, *, once: bool) -> StreamingQuery:
        self.starting_offsets = settings.starting_offsets
        query = (
            spark.readStream.format("kafka")
            .option("kafka.bootstrap.servers", settings.bootstrap_servers)
            .option("subscribe", NEST_LOGS.name)
            .option("startingOffsets", "earliest")
            .load()
            .writeStream.queryName(self.NAME)
            .foreachBatch(lambda rows, number: None)
            .option("checkpointLocation", str(self._folder))
            .start()
        )
        poll_until(lambda: query.lastProgress, "a batch", 60)
        return query

    def longest_wait(self, settings: Settings) -> timedelta:
        return timedelta()


class RefusedQuery:
    """A query that cannot start."""

    NAME = Query.CAMERA_STATUS
    starting_offsets = ""

    def start(self, spark: SparkSession, settings: Settings, *, once: bool) -> StreamingQuery:
        self.starting_offsets = settings.starting_offsets
        raise UserError("Its table is damaged.")

    def longest_wait(self, settings: Settings) -> timedelta:
        return timedelta()


def test_all_queries_begin_at_one_place_and_their_last_batches_are_told_when_another_one_gives_up(
    spark: SparkSession, fresh_topics: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Spark hands its reports over late: the application may have ended by then.
    monkeypatch.setattr(ProgressPublisher, "publish_report", lambda self, report: None)
    settings = Settings(
        bootstrap_servers=fresh_topics,
        lake=str(tmp_path / "lake"),
        checkpoints=str(tmp_path / "checkpoints"),
        starting_offsets="latest",
    )
    send(fresh_topics, [(b"{}", 0)])
    counting, refused = CountingQuery(tmp_path / "counting"), RefusedQuery()
    with pytest.raises(UserError, match="Its table is damaged"):
        run_queries(
            spark,
            settings,
            threading.Event(),
            Console(quiet=True),
            once=False,
            queries=[counting, refused],
        )
    assert counting.starting_offsets == refused.starting_offsets
    assert sum(json.loads(refused.starting_offsets)[NEST_LOGS.name].values()) == 1
    latest = newest_progress(fresh_topics)
    found = {name: (each.state, each.reason) for name, each in latest.items()}
    assert found == {
        "stats": ("stopped", None),
        "camera_status": ("stopped", "Its table is damaged."),
    }
    assert sum(latest[Query.STATS].end_offsets.values()) == 1


def test_a_query_on_a_table_is_refused_before_any_query_writes(
    spark: SparkSession, bootstrap_servers: str
) -> None:
    on_tables = (archive, camera_status, alerts)
    with new_settings(bootstrap_servers) as settings:
        send(bootstrap_servers, [(Send(0, 0, 0).value(), 0)])
        run_to_end(spark, settings, on_tables)
        send(bootstrap_servers, [(Send(0, 5, 5).value(), 5)])
        (Path(settings.checkpoints) / alerts.NAME / "metadata").write_text("torn")
        with pytest.raises(UserError, match="nest repair alerts"):
            run_to_end(spark, settings, on_tables)
        assert len(rows(settings, CAMERA)) == 1


def test_a_run_that_finds_nothing_new_leaves_the_progress_of_the_last_batches(
    spark: SparkSession, bootstrap_servers: str
) -> None:
    with new_settings(bootstrap_servers) as settings:
        send(bootstrap_servers, [(Send(0, 0, 0).value(), 0), (Send(1, 300, 300).value(), 300)])
        run_to_end(spark, settings, queries=None)
        send(bootstrap_servers, [(Send(1, 310, 310).value(), 310)])
        run_to_end(spark, settings, queries=None)
        before = newest_progress(bootstrap_servers)
        assert before[Query.STATS].state_rows > 0
        assert before[Query.STATS].watermark == "2026-11-20T03:00:00.000Z"
        run_to_end(spark, settings, queries=None)
        assert newest_progress(bootstrap_servers) == before


def test_a_stream_is_stopped_before_its_query_starts_again_where_its_rules_cannot_be_read(
    spark: SparkSession, fresh_topics: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = Settings(
        bootstrap_servers=fresh_topics,
        lake=str(tmp_path / "lake"),
        checkpoints=str(tmp_path / "checkpoints"),
    )
    query, stopping = CountingQuery(tmp_path / "counting"), threading.Event()
    running: list[list[str]] = []

    def rules(spark: SparkSession, *_: object) -> dict[str, str]:
        running.append([str(stream.runId) for stream in spark.streams.active])
        if len(running) == 1:
            raise OSError("the store answers 503")
        stopping.set()
        return {}

    monkeypatch.setattr(app, "counting_rules", rules)
    run_queries(spark, settings, stopping, Console(quiet=True), once=False, queries=[query])
    (first,), (second,) = running
    assert first != second
