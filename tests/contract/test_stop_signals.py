"""A closed terminal stops a program, unless it was started to outlive the terminal."""

import signal
from collections.abc import Iterator

import pytest

from contract.stop_signals import stop_signals


@pytest.fixture(autouse=True)
def hangup() -> Iterator[None]:
    before = signal.getsignal(signal.SIGHUP)
    yield
    signal.signal(signal.SIGHUP, before)


def test_a_closed_terminal_means_the_same_as_ctrl_c() -> None:
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    assert set(stop_signals()) == {signal.SIGINT, signal.SIGTERM, signal.SIGHUP}


def test_what_nohup_has_started_outlives_its_terminal() -> None:
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    assert set(stop_signals()) == {signal.SIGINT, signal.SIGTERM}
