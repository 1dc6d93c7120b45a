"""Who waits at a terminal for a broker that does not answer is told so."""

import io
import sys
import threading
import time

import pytest

from contract.kafka import slow_answer
from contract.kafka.slow_answer import notice_if_slow
from contract.polling import poll_until


class Terminal(io.StringIO):
    """What a terminal shows."""

    def isatty(self) -> bool:
        return True


def test_a_slow_answer_is_said_at_a_terminal_and_a_quick_one_is_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(slow_answer, "MUTE_S", 0.3)
    monkeypatch.setattr(sys, "stderr", terminal := Terminal())
    with notice_if_slow("a:1"):
        pass
    time.sleep(0.5)
    assert terminal.getvalue() == ""
    with notice_if_slow("a:1"):
        poll_until(terminal.getvalue, "the notice", 30)
    assert terminal.getvalue() == "Asking Kafka at a:1 ...\n"


@pytest.mark.parametrize("stream", [None, io.StringIO()])
def test_a_log_is_not_told(monkeypatch: pytest.MonkeyPatch, stream: io.StringIO | None) -> None:
    monkeypatch.setattr(slow_answer, "MUTE_S", 0.0)
    monkeypatch.setattr(sys, "stderr", stream)
    with notice_if_slow("a:1"):
        time.sleep(0.2)
    assert stream is None or stream.getvalue() == ""


def test_a_thread_in_the_background_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(slow_answer, "MUTE_S", 0.0)
    monkeypatch.setattr(sys, "stderr", terminal := Terminal())

    def ask() -> None:
        with notice_if_slow("a:1"):
            time.sleep(0.2)

    thread = threading.Thread(target=ask)
    thread.start()
    thread.join()
    assert terminal.getvalue() == ""
