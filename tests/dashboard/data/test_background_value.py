"""A value that is read in the background for all viewers."""

import threading
from collections.abc import Iterator

from contract.errors import UserError
from contract.polling import poll_until
from dashboard.data.background_value import BackgroundValue


class Source:
    """A source that counts how often it was opened and read, and fails or waits on request."""

    def __init__(self) -> None:
        self.opened = self.read = 0
        self.error: Exception | None = None
        self.may_answer = threading.Event()
        self.may_answer.set()

    def __call__(self) -> Iterator[int]:
        self.opened += 1
        while True:
            assert self.may_answer.wait(10)
            if self.error:
                raise self.error
            self.read += 1
            yield self.read


def test_a_first_viewer_gets_the_value_at_once():
    snapshot = BackgroundValue(Source()).read()
    assert snapshot.value == 1
    assert snapshot.read_at
    assert snapshot.problem is None


def test_many_viewers_in_one_interval_cause_one_read():
    source = Source()
    value = BackgroundValue(source, refresh_interval=60)
    viewers = [threading.Thread(target=value.read) for _ in range(20)]
    for viewer in viewers:
        viewer.start()
    for viewer in viewers:
        viewer.join()
    assert (source.opened, source.read) == (1, 1)


def test_a_viewer_does_not_wait_for_a_slow_source_if_there_is_a_value():
    source = Source()
    value = BackgroundValue(source, refresh_interval=0)
    assert value.read().value == 1
    source.may_answer.clear()
    assert value.read().value == 1
    assert value.read().value == 1
    source.may_answer.set()
    poll_until(lambda: value.read().value > 1, "the next value", 5)
    assert source.opened == 1


def test_the_last_value_stays_while_the_source_fails_and_new_values_come_when_it_recovers():
    source = Source()
    value = BackgroundValue(source, refresh_interval=0)
    first = value.read()
    source.error = UserError("Kafka is unavailable")
    failed = poll_until(lambda: (got := value.read()).problem and got, "the problem", 5)
    assert (failed.value, failed.read_at) == (first.value, first.read_at)
    assert failed.problem == "Kafka is unavailable"
    source.error = None
    recovered = poll_until(lambda: (got := value.read()).problem is None and got, "recovery", 5)
    assert recovered.value > first.value
    assert recovered.read_at > first.read_at


def test_a_source_is_opened_again_after_an_idle_time():
    source = Source()
    value = BackgroundValue(source, refresh_interval=0, idle_timeout=0)
    assert [value.read().value for _ in range(3)] == [1, 2, 3]
    assert source.opened == 3


def test_a_defect_is_shown_and_logged_and_the_next_read_works(caplog):
    source = Source()
    value = BackgroundValue(source, refresh_interval=0)
    source.error = ZeroDivisionError("a defect")
    assert value.read().problem == "ZeroDivisionError: a defect"
    assert "ZeroDivisionError" in caplog.text
    source.error = None
    poll_until(lambda: value.read().value, "a value", 5)
