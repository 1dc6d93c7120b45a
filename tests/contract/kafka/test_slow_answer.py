"""Who waits at a terminal for a broker that does not answer is told so."""

import io
import sys
import threading
from collections.abc import Callable, Sequence

import pytest

from contract.kafka import slow_answer
from contract.kafka.slow_answer import MUTE_S, notice_if_slow
from contract.polling import poll_until


class Terminal(io.StringIO):
    """What a terminal shows."""

    def isatty(self) -> bool:
        return True


class FakeTimer:
    """A timer whose time is over when a test says so."""

    def __init__(
        self, interval: float, function: Callable[..., object], args: Sequence[object]
    ) -> None:
        assert interval == MUTE_S
        self._function, self._args = function, args
        self._is_running = False

    def start(self) -> None:
        self._is_running = True

    def cancel(self) -> None:
        self._is_running = False

    def elapse(self) -> None:
        if self._is_running:
            self._function(*self._args)


@pytest.fixture
def timers(monkeypatch: pytest.MonkeyPatch) -> list[FakeTimer]:
    """The timers that were made, which take the place of real ones."""
    made: list[FakeTimer] = []

    def new_timer(
        interval: float, function: Callable[..., object], args: Sequence[object]
    ) -> FakeTimer:
        made.append(FakeTimer(interval, function, args))
        return made[-1]

    monkeypatch.setattr(threading, "Timer", new_timer)
    return made


def test_a_slow_answer_is_said_at_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(slow_answer, "MUTE_S", 0.0)
    monkeypatch.setattr(sys, "stderr", terminal := Terminal())
    with notice_if_slow("a:1"):
        poll_until(terminal.getvalue, "the notice", 30)
    assert terminal.getvalue() == "Asking Kafka at a:1 ...\n"


def test_a_quick_answer_is_not_said_even_later(
    monkeypatch: pytest.MonkeyPatch, timers: list[FakeTimer]
) -> None:
    monkeypatch.setattr(sys, "stderr", terminal := Terminal())
    with notice_if_slow("a:1"):
        (timer,) = timers
        assert terminal.getvalue() == ""
    timer.elapse()
    assert terminal.getvalue() == ""


@pytest.mark.parametrize("stream", [None, io.StringIO()])
def test_a_log_is_not_told(
    monkeypatch: pytest.MonkeyPatch, timers: list[FakeTimer], stream: io.StringIO | None
) -> None:
    monkeypatch.setattr(sys, "stderr", stream)
    with notice_if_slow("a:1"):
        assert timers == []
    assert stream is None or stream.getvalue() == ""


def test_a_thread_in_the_background_is_not_waited_for(
    monkeypatch: pytest.MonkeyPatch, timers: list[FakeTimer]
) -> None:
    monkeypatch.setattr(sys, "stderr", terminal := Terminal())

    def ask() -> None:
        with notice_if_slow("a:1"):
            pass

    thread = threading.Thread(target=ask)
    thread.start()
    thread.join()
    assert timers == []
    assert terminal.getvalue() == ""
