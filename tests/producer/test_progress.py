"""What the producer prints: a bar for the past, then a line every few seconds when live."""

from types import SimpleNamespace

import pytest

from producer.progress import ProducerProgress


def live_line(load_factor: float, capsys: pytest.CaptureFixture[str]) -> str:
    sender = SimpleNamespace(records=0, bytes=0, errors=0)
    with ProducerProgress(sender) as progress:
        sender.records, sender.bytes = 10, 40_000
        progress.show_live(load_factor)
        progress.show_live(load_factor)  # not yet time for another line
    (line,) = capsys.readouterr().err.splitlines()
    return line


def test_a_live_line_shows_messages_bytes_and_errors(capsys: pytest.CaptureFixture[str]) -> None:
    line = live_line(1.0, capsys)
    assert line.startswith("live: ")
    assert all(unit in line for unit in ("messages/s", "kB/s", "0 errors"))
    assert "same homes" not in line


def test_a_live_line_shows_how_busy_the_world_is(capsys: pytest.CaptureFixture[str]) -> None:
    assert live_line(30.5, capsys).endswith("(the same homes, 30.5 times as busy)")
    assert live_line(0.5, capsys).endswith("(the same homes, 0.5 times as busy)")


def test_the_bar_of_the_past_is_followed_by_lines(capsys: pytest.CaptureFixture[str]) -> None:
    sender = SimpleNamespace(records=5, bytes=0, errors=0)
    with ProducerProgress(sender) as progress:
        progress.show("history", 1, 2)
        progress.show("history", 3, 2)
        progress.show_live(1.0)  # the bar has just ended
    text = capsys.readouterr().err
    assert "history" in text
    assert "100%" in text
    assert "live:" not in text
