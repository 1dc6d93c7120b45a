"""Rates of the stream, from samples of offsets."""

from datetime import UTC, datetime, timedelta

from dashboard.data.live_view import LiveView, OffsetSample

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)


def sample(seconds_ago: float, messages: int, committed: dict[str, int]) -> OffsetSample:
    return OffsetSample(NOW - timedelta(seconds=seconds_ago), messages, committed, 0)


def test_a_rate_is_over_the_last_minute():
    totals = ((90, 0), (20, 1000), (0, 1200))
    view = LiveView(
        samples=tuple(sample(ago, messages, {"stats": messages // 2}) for ago, messages in totals)
    )
    assert (view.input_rate(), view.query_rate("stats"), view.counts_rate()) == (10, 5, 0)
    assert view.query_rate("archive") is None


def test_a_query_has_no_rate_before_its_second_sample():
    samples = (
        sample(10, 5000, {}),
        sample(2, 5000, {"archive": 4000}),
        sample(0, 5000, {"archive": 4010}),
    )
    assert LiveView(samples=samples[:2]).query_rate("archive") is None
    assert LiveView(samples=samples).query_rate("archive") == 5
