"""How fast the demo's disk use grows is measured, not guessed."""

from pathlib import Path

from demo.stack.disk_usage import FIRST_INTERVAL_S, SETTLES_S, DiskGrowth, bytes_used


def test_growth_is_measured_after_the_history_was_written_and_then_hourly() -> None:
    now, used = [0.0], [100_000_000]
    growth = DiskGrowth(lambda: used[0], lambda: now[0])
    assert growth.line() is None
    now[0], used[0] = SETTLES_S, 500_000_000
    assert growth.line() is None
    now[0] += FIRST_INTERVAL_S - 1
    assert growth.line() is None
    now[0], used[0] = now[0] + 1, 510_000_000
    assert growth.line() == "Disk: 510 MB used, growing by 40 MB an hour."
    now[0] += 3599
    assert growth.line() is None
    now[0], used[0] = now[0] + 1, 2_510_000_000
    assert growth.line() == "Disk: 2.5 GB used, growing by 2.0 GB an hour."


def test_a_sparse_file_counts_by_what_it_occupies(tmp_path: Path) -> None:
    with (tmp_path / "00000.index").open("wb") as index:
        index.truncate(10_000_000)
    (tmp_path / "00000.log").write_bytes(b"x" * 8192)
    assert 8192 <= bytes_used(tmp_path) < 100_000
