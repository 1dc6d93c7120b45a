"""What the producer says: one line a while when live, and how busy the world is."""

from types import SimpleNamespace

import pytest

from producer import progress
from producer.replay_clock import Every


def line_of(busier: float, capsys: pytest.CaptureFixture[str]) -> str:
    sender = SimpleNamespace(records=0, bytes=0, errors=0)
    with progress.ProducerProgress(sender, busier) as shown:
        sender.records, sender.bytes = 10, 40_000
        shown.show_live()
        shown.show_live()  # not yet time for another line
    (line,) = capsys.readouterr().err.splitlines()
    return line


def test_a_live_line_tells_messages_bytes_and_errors(capsys: pytest.CaptureFixture[str]) -> None:
    line = line_of(1.0, capsys)
    assert line.startswith("live: ")
    assert all(unit in line for unit in ("messages/s", "kB/s", "0 errors"))
    assert "same world" not in line


def test_a_live_line_says_how_much_busier_the_world_is(capsys: pytest.CaptureFixture[str]) -> None:
    assert line_of(30.5, capsys).endswith("(the same world, busier ×30.5)")  # noqa: RUF001
    assert line_of(0.5, capsys).endswith("(the same world, calmer ×0.5)")  # noqa: RUF001


def test_the_bar_of_the_past_is_followed_by_lines(capsys: pytest.CaptureFixture[str]) -> None:
    sender = SimpleNamespace(records=5, bytes=0, errors=0)
    with progress.ProducerProgress(sender) as shown:
        shown.show("history", 1, 2)
        shown.show("history", 3, 2)
        shown.show_live()  # the bar has just ended
    text = capsys.readouterr().err
    assert "history" in text
    assert "100%" in text
    assert "live:" not in text


def test_every_so_often_begins_at_once() -> None:
    due = Every(60)
    assert [due(), due()] == [True, False]
