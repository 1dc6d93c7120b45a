"""How the stream is doing, read from a real Kafka."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest

from contract.polling import poll_until
from dashboard.data.freshness import Batch, freshness_of
from dashboard.data.live import LiveView, Sample, read_live
from tests.dashboard.progress_records import progress, send_messages, tell

pytestmark = pytest.mark.kafka


@pytest.fixture
def views(fresh_topics: str) -> Iterator[Iterator[LiveView]]:
    reading = read_live(fresh_topics)
    yield reading
    reading.close()


def test_before_anything_runs_there_is_nothing(views):
    view = next(views)
    assert (view.latest, view.freshness, view.batches) == ({}, (), ())
    assert view.rate("arrived") is None
    assert view.behind("stats") == 0


def test_a_query_is_behind_by_what_it_has_not_committed(views, fresh_topics):
    send_messages(fresh_topics, 3, 2, 1)
    send_messages(fresh_topics, 1, partition=1)
    assert next(views).behind("stats") == 4
    tell(fresh_topics, progress("stats", 2), progress("archive", 0))
    view = next(views)
    assert (view.behind("stats"), view.behind("archive")) == (2, 4)


def test_the_newest_word_of_each_query_counts(views, fresh_topics):
    tell(fresh_topics, progress("stats", 0), progress("archive", 0), (b"x", b"no progress"))
    tell(fresh_topics, progress("stats", 0, state="restarting", reason="Kafka fell silent"))
    view = next(views)
    assert view.latest["stats"].state == "restarting"
    assert view.latest["stats"].reason == "Kafka fell silent"
    assert view.latest["archive"].state == "running"


def test_freshness_is_from_a_reports_own_time_until_its_batch_was_in_the_counts(
    views, fresh_topics
):
    tell(fresh_topics, progress("stats", 0))
    send_messages(fresh_topics, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5)
    tell(fresh_topics, progress("stats", 10))
    (found,) = next(views).freshness
    assert found.median == pytest.approx(9.5, abs=0.5)
    assert found.slow == pytest.approx(13.1, abs=0.5)
    send_messages(fresh_topics, *[2] * 90)
    tell(fresh_topics, progress("stats", 100))
    newest = next(views).newest_freshness()
    assert newest.median == pytest.approx(2, abs=0.5)


def test_freshness_is_over_the_last_minute_so_that_one_late_report_does_not_hide_the_rest():
    begin = datetime.now(UTC)
    batches = [Batch(begin + timedelta(seconds=s), [3.0] * 4) for s in range(0, 120, 2)]
    batches[40] = Batch(batches[40].committed, [1500.0])
    assert {(each.median, each.slow) for each in freshness_of(batches)} == {(3.0, 3.0)}
    later = Batch(begin + timedelta(minutes=10), [7.0])
    assert freshness_of([*batches, later])[-1][1:] == (7.0, 7.0)


def test_a_word_about_the_state_is_no_batch(views, fresh_topics):
    tell(fresh_topics, progress("stats", 0))
    send_messages(fresh_topics, 1)
    tell(fresh_topics, progress("stats", 1), progress("stats", 1, state="stopped"))
    view = next(views)
    assert (len(view.batches), len(view.freshness)) == (1, 1)


def test_rows_dropped_as_late_add_up(views, fresh_topics):
    words = [progress("stats", done, rows_dropped_by_watermark=done) for done in range(4)]
    tell(fresh_topics, *words[:3])
    assert next(views).dropped == {"stats": 3}
    tell(fresh_topics, words[3])
    assert next(views).dropped == {"stats": 6}


def test_rates_come_from_what_has_arrived_between_two_looks(views, fresh_topics):
    next(views)
    send_messages(fresh_topics, *[0] * 50)
    rate = poll_until(lambda: next(views).rate("arrived"), "a rate", 10)
    assert 10 < rate <= 50


def test_a_rate_is_over_the_last_half_minute():
    now = datetime.now(UTC)
    samples = tuple(
        Sample(now - timedelta(seconds=ago), arrived, {"stats": arrived // 2}, 0)
        for ago, arrived in ((60, 0), (20, 1000), (0, 1200))
    )
    view = LiveView(samples=samples)
    assert (view.rate("arrived"), view.rate("stats"), view.rate("written")) == (10, 5, 0)
    assert view.rate("archive") is None


def test_a_query_that_has_just_been_heard_of_has_no_rate_yet():
    now = datetime.now(UTC)
    samples = (
        Sample(now - timedelta(seconds=10), 5000, {}, 0),
        Sample(now - timedelta(seconds=2), 5000, {"archive": 4000}, 0),
        Sample(now, 5000, {"archive": 4010}, 0),
    )
    assert LiveView(samples=samples[:2]).rate("archive") is None
    assert LiveView(samples=samples).rate("archive") == 5


def test_a_query_that_says_it_runs_and_says_nothing_is_noticed_while_messages_wait(
    views, fresh_topics
):
    send_messages(fresh_topics, 1)
    tell(fresh_topics, progress("stats", 0))
    view = next(views)
    soon, later = (datetime.now(UTC) + timedelta(seconds=s) for s in (10, 100))
    assert view.silent_for("stats", soon) is None
    assert view.silent_for("stats", later) > timedelta(seconds=90)
    tell(fresh_topics, progress("stats", 1))
    assert next(views).silent_for("stats", later) is None
