"""The producer stops when asked to and before the disk is full."""

import os
import signal
import threading
from pathlib import Path

import pytest

from contract.errors import UserError
from contract.polling import poll_until
from producer.stopping import require_free_disk, stop_on_signals


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_asks_to_stop_instead_of_ending_the_process(number: signal.Signals) -> None:
    before = signal.getsignal(number)
    with stop_on_signals() as stop:
        assert not stop.is_set()
        os.kill(os.getpid(), number)
        poll_until(stop.is_set, "the signal", 5)
    assert signal.getsignal(number) == before


def test_outside_of_the_main_thread_there_is_only_the_event() -> None:
    found: list[bool] = []

    def work() -> None:
        with stop_on_signals() as stop:
            found.append(stop.is_set())

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert found == [False]


def test_a_disk_that_is_nearly_full_is_an_error_that_says_what_to_do(tmp_path: Path) -> None:
    require_free_disk(tmp_path / "not" / "there", least=1)
    with pytest.raises(UserError, match=r"GB of disk are free at .*nest reset"):
        require_free_disk(tmp_path / "not" / "there", least=1 << 60)
