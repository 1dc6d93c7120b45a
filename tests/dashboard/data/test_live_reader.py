"""The state of the stream, read from a real Kafka."""

from collections.abc import Generator, Iterator
from datetime import UTC, datetime, timedelta

import pytest

from contract.instants import format_instant
from contract.polling import poll_until
from contract.progress import QueryProgress
from dashboard.data import live_reader
from dashboard.data.background_value import Snapshot
from dashboard.data.completeness import complete_until
from dashboard.data.live_reader import read_live
from dashboard.data.live_view import LiveView
from dashboard.views.live_charts import lag_points
from tests.fixtures.kafka import renew_topics
from tests.sample.progress import progress, send_messages, send_progress

pytestmark = pytest.mark.kafka

NOW = datetime.now(UTC)


@pytest.fixture
def views(fresh_topics: str) -> Iterator[Generator[LiveView, None, None]]:
    reading = read_live(fresh_topics)
    yield reading
    reading.close()


def test_before_anything_runs_the_view_is_empty(views):
    view = next(views)
    assert (view.progress, view.latencies, view.batches) == ({}, (), ())
    assert view.input_rate() is None
    assert view.lag("stats") == 0


def test_the_lag_of_a_query_is_the_messages_that_it_has_not_committed(views, fresh_topics):
    send_messages(fresh_topics, 3, 2, 1)
    send_messages(fresh_topics, 1, partition=1)
    assert next(views).lag("stats") == 4
    send_progress(fresh_topics, progress("stats", 2), progress("archive", 0))
    view = next(views)
    assert (view.lag("stats"), view.lag("archive")) == (2, 4)


def test_the_newest_progress_of_each_query_counts(views, fresh_topics):
    send_progress(fresh_topics, progress("stats", 0), progress("archive", 0))
    send_progress(fresh_topics, (b"x", b"no progress"))
    restarting = progress("stats", 0, state="restarting", reason="Kafka does not answer")
    send_progress(fresh_topics, restarting)
    view = next(views)
    assert view.progress["stats"] == restarting
    assert view.progress["archive"].state == "running"


def test_latency_is_from_a_messages_timestamp_until_its_batch_is_committed(views, fresh_topics):
    send_progress(fresh_topics, progress("stats", 0))
    ten_counted = progress("stats", 10)
    send_messages(fresh_topics, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5)
    send_progress(fresh_topics, ten_counted)
    (first,) = next(views).latencies
    assert first.p50 == pytest.approx(9.5, abs=0.5)
    assert first.p90 == pytest.approx(13.1, abs=0.5)
    all_counted = progress("stats", 100)
    send_messages(fresh_topics, *[2] * 90)
    send_progress(fresh_topics, all_counted)
    assert next(views).latest_latency.p50 == pytest.approx(2, abs=0.5)


def test_progress_about_a_change_of_state_is_no_batch(views, fresh_topics):
    send_progress(fresh_topics, progress("stats", 0))
    send_messages(fresh_topics, 1)
    send_progress(fresh_topics, progress("stats", 1), progress("stats", 1, state="stopped"))
    view = next(views)
    assert (len(view.batches), len(view.latencies)) == (1, 1)


def test_rows_dropped_as_late_are_summed_over_the_batches(views, fresh_topics):
    batches = [progress("stats", done, rows_dropped_by_watermark=done) for done in range(4)]
    send_progress(fresh_topics, *batches[:3])
    assert next(views).dropped_rows == {"stats": 3}
    send_progress(fresh_topics, batches[3])
    assert next(views).dropped_rows == {"stats": 6}


def test_the_input_rate_comes_from_the_messages_between_two_reads(views, fresh_topics):
    next(views)
    send_messages(fresh_topics, *[0] * 50)
    view = poll_until(lambda: (view := next(views)).input_rate() and view, "a rate", 10)
    seconds = (view.samples[-1].time - view.samples[0].time).total_seconds()
    assert view.input_rate() == pytest.approx(50 / seconds)


def test_a_running_query_that_reports_nothing_is_silent(views, fresh_topics):
    send_progress(fresh_topics, progress("stats", 0))
    view = next(views)
    soon, later = (datetime.now(UTC) + timedelta(seconds=s) for s in (10, 100))
    assert view.silent_for("stats", soon) is None
    assert view.silent_for("stats", later) > timedelta(seconds=90)
    send_progress(fresh_topics, progress("stats", 0, state="stopped"))
    assert next(views).silent_for("stats", later) is None


def test_after_a_long_outage_it_is_still_known_when_all_was_counted(
    views, fresh_topics, monkeypatch
):
    send_messages(fresh_topics, 1)
    send_progress(fresh_topics, progress("stats", 1, state="stopped"))
    complete = next(views)
    send_messages(fresh_topics, 0)
    monkeypatch.setattr(live_reader, "HISTORY", timedelta())
    for _ in range(2):
        view = next(views)
        assert len(view.samples) == 1
        assert complete_until(Snapshot(view, NOW)) == complete.samples[-1].time
    send_progress(fresh_topics, progress("stats", 0))
    assert complete_until(Snapshot(next(views), NOW)) is None, "it counts from the start again"


def test_a_recreated_topic_has_nothing_of_the_old_one(views, fresh_topics):
    send_messages(fresh_topics, *[1] * 5)
    send_progress(fresh_topics, progress("stats", 0), progress("stats", 5))
    assert len(next(views).batches) == 1
    renew_topics(fresh_topics)
    send_messages(fresh_topics, 1, 1)
    send_progress(fresh_topics, progress("stats", 5))  # a pipeline that has not noticed it
    view = next(views)
    assert [(each.messages, each.committed) for each in view.samples] == [(2, {})]
    assert (view.lag("stats"), view.batches, view.latencies) == (2, (), ())


def test_the_first_view_has_what_happened_before_somebody_watched(fresh_topics):
    now = datetime.now(UTC)

    def earlier(minutes: float, committed: int, in_kafka: int) -> QueryProgress:
        triggered_at = format_instant(now - timedelta(minutes=minutes))
        ends = {"log_end_offsets": {0: in_kafka}}
        return progress("stats", committed, timestamp=triggered_at, **ends)

    send_messages(fresh_topics, *[200] * 30)
    send_progress(
        fresh_topics,
        earlier(30, 5, 10),
        earlier(20, 8, 10),  # longer ago than the charts go back
        earlier(5, 10, 12),
        earlier(5 - 0.5 / 60, 12, 14),  # too near to the one before
        earlier(3, 20, 28),
    )
    reading = read_live(fresh_topics)
    view = next(reading)
    reading.close()
    past, watched = view.samples[:-1], view.samples[-1]
    assert [(each.messages, each.committed) for each in past] == [
        (12, {"stats": 8}),
        (28, {"stats": 12}),
    ]
    assert [round((now - each.time) / timedelta(minutes=1)) for each in past] == [5, 3]
    assert (watched.messages, watched.committed) == (30, {"stats": 20})
    assert [point[2] for point in lag_points(view)] == [4, 16, 10]
    assert len(view.batches) == 3
    assert len(view.latencies) == 3


def test_a_query_of_a_table_has_no_lag_in_messages(views, fresh_topics: str) -> None:
    send_messages(fresh_topics, 1)
    send_progress(fresh_topics, progress("stats", 0), progress("alerts", 0, end_offsets={}))
    view = poll_until(lambda: (it := next(views)).progress and it, "the progress", 30)
    assert set(view.samples[-1].committed) == {"stats"}
    assert {series for _, series, _ in lag_points(view)} == {"Counts"}
