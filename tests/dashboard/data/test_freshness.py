"""Percentiles of the latency over a window."""

from datetime import UTC, datetime, timedelta

from dashboard.data.freshness import BatchLatencies, rolling_percentiles


def test_percentiles_are_over_the_last_minute_so_one_late_message_does_not_change_them():
    start = datetime(2026, 11, 20, tzinfo=UTC)
    batches = [BatchLatencies(start + timedelta(seconds=s), [3.0] * 4) for s in range(0, 120, 2)]
    batches[40] = BatchLatencies(batches[40].committed_at, [1500.0])
    assert {(each.p50, each.p90) for each in rolling_percentiles(batches)} == {(3.0, 3.0)}


def test_batches_before_the_window_do_not_count():
    start = datetime(2026, 11, 20, tzinfo=UTC)
    later = start + timedelta(minutes=10)
    batches = [BatchLatencies(start, [3.0]), BatchLatencies(later, [7.0])]
    assert rolling_percentiles(batches)[-1] == (later, 7.0, 7.0)
