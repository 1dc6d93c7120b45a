"""A producer that is asked to stop can flush first."""

import os
import signal
import subprocess
import sys
import threading

import pytest

from contract.polling import poll_until
from producer.signals import stop_on_signals


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_sets_the_event_instead_of_ending_the_process(number: signal.Signals) -> None:
    before = signal.signal(number, signal.default_int_handler)  # even where nohup runs the tests
    try:
        with stop_on_signals() as stop:
            assert not stop.is_set()
            os.kill(os.getpid(), number)
            poll_until(stop.is_set, "the signal", 5)
            assert stop.signal == number
        assert signal.getsignal(number) is signal.default_int_handler
    finally:
        signal.signal(number, before)


def test_outside_of_the_main_thread_the_event_is_there_but_not_set() -> None:
    is_set: list[bool] = []

    def work() -> None:
        with stop_on_signals() as stop:
            is_set.append(stop.is_set())

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert is_set == [False]


def test_a_producer_that_kafka_keeps_waiting_ends_all_the_same() -> None:
    script = """
import os, signal, threading
from producer.signals import stop_on_signals
with stop_on_signals(limit=0.2) as stop:
    os.kill(os.getpid(), signal.SIGTERM)
    threading.Event().wait()
"""
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 1
    assert done.stderr.startswith("Kafka has not taken the last records within 0.2 s.")
