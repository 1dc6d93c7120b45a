"""Rates of the stream, from samples of offsets."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import pytest

from contract.progress import QueryProgress
from dashboard.data.live_view import LiveView, OffsetSample
from dashboard.views.live_charts import throughput_points

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)


def sample(seconds_ago: float, messages: int, committed: dict[str, int]) -> OffsetSample:
    return OffsetSample(NOW - timedelta(seconds=seconds_ago), {0: messages}, committed, 0)


def test_a_rate_is_over_the_last_minute():
    totals = ((90, 0), (20, 1000), (0, 1200))
    view = LiveView(
        samples=tuple(sample(ago, messages, {"stats": messages // 2}) for ago, messages in totals)
    )
    assert (view.input_rate(), view.query_rate("stats"), view.counts_rate()) == (10, 5, 0)
    assert view.query_rate("archive") is None


def test_a_total_that_has_fallen_has_no_rate():
    samples = (sample(20, 1000, {"stats": 900}), sample(0, 30, {"stats": 10}))
    view = LiveView(samples=samples)
    assert (view.input_rate(), view.query_rate("stats"), view.counts_rate()) == (None, None, 0)


def test_a_query_that_began_anew_is_not_drawn_as_less_than_nothing():
    samples = (sample(20, 1000, {"stats": 900}), sample(0, 1200, {"stats": 10}))
    assert [point[1:] for point in throughput_points(LiveView(samples=samples))] == [("in", 10)]


def test_what_was_committed_beyond_the_end_is_of_a_topic_that_is_no_more():
    progress = {
        "stats": QueryProgress("stats", "running", NOW.isoformat(), end_offsets={0: 50, 1: 20})
    }
    same, another = (LiveView(progress=progress, end_offsets={0: 60, 1: end}) for end in (20, 7))
    assert (same.committed("stats"), same.lag("stats")) == ({0: 50, 1: 20}, 10)
    assert (another.committed("stats"), another.lag("stats")) == ({}, 67)
    assert same.committed("archive") == {}


def test_a_query_has_no_rate_before_its_second_sample():
    samples = (
        sample(10, 5000, {}),
        sample(2, 5000, {"archive": 4000}),
        sample(0, 5000, {"archive": 4010}),
    )
    assert LiveView(samples=samples[:2]).query_rate("archive") is None
    assert LiveView(samples=samples).query_rate("archive") == 5


def rates_of_archive(commits: Sequence[float], seconds: int, wait_ms: int) -> list[float | None]:
    """Return the rate at each second, while two messages a second come and some are committed."""
    samples = [
        sample(
            seconds - second,
            2 * second,
            {"archive": round(2 * max(each for each in commits if each <= second))},
        )
        for second in range(seconds + 1)
    ]
    progress = QueryProgress("archive", "running", NOW.isoformat(), longest_wait_ms=wait_ms)
    view = LiveView(samples=tuple(samples), progress={"archive": progress})
    return [rate for _, rate in view.query_rates("archive", timedelta(seconds=4))]


@pytest.mark.parametrize(("every", "wait_ms"), [(150, 60_000), (70, 3_000), (68, 60_000)])
def test_the_rate_of_a_query_whose_batches_take_long_is_neither_unknown_nor_nothing(
    every: int, wait_ms: int
):
    rates = rates_of_archive(range(0, 700, every), 3 * every, wait_ms)
    assert set(rates[:every]) <= {None, 0}
    assert all(rate is None or 0.7 < rate <= 2 for rate in rates[2 * every :])
    assert None not in rates[2 * every :]


def test_the_rate_of_a_query_that_commits_once_a_minute_does_not_jump_and_falls_when_it_stops():
    rates = rates_of_archive((0, 60.5, 120, 181.5, 242), 460, 60_000)
    assert rates[70] is None  # one commit tells no rate, whenever the samples begin
    assert all(rate == pytest.approx(2, rel=0.03) for rate in rates[125:300])
    assert 0.9 < rates[330] < 2
    assert rates[460] == 0
