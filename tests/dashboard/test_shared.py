import threading
from collections.abc import Iterator

from contract.errors import UserError
from contract.polling import poll_until
from dashboard.data.background_value import Shared


class Source:
    """A source that counts how often it was opened and read, and fails or waits when told to."""

    def __init__(self) -> None:
        self.opened = self.read = 0
        self.failing: Exception | None = None
        self.go = threading.Event()
        self.go.set()

    def __call__(self) -> Iterator[int]:
        self.opened += 1
        while True:
            assert self.go.wait(10)
            if self.failing:
                raise self.failing
            self.read += 1
            yield self.read


def test_a_first_viewer_gets_the_value_at_once():
    known = Shared(Source()).read()
    assert known.value == 1
    assert known.heard
    assert known.problem is None


def test_many_viewers_in_one_interval_cause_one_read():
    source = Source()
    shared = Shared(source, interval=60)
    viewers = [threading.Thread(target=shared.read) for _ in range(20)]
    for viewer in viewers:
        viewer.start()
    for viewer in viewers:
        viewer.join()
    assert (source.opened, source.read) == (1, 1)


def test_a_slow_source_keeps_no_viewer_waiting_once_something_is_known():
    source = Source()
    shared = Shared(source, interval=0)
    assert shared.read().value == 1
    source.go.clear()
    assert shared.read().value == 1
    assert shared.read().value == 1
    source.go.set()
    poll_until(lambda: shared.read().value > 1, "the next value", 5)
    assert source.opened == 1


def test_the_last_known_value_stays_while_the_source_is_away_and_it_recovers_by_itself():
    source = Source()
    shared = Shared(source, interval=0)
    first = shared.read()
    source.failing = UserError("Kafka is away")
    away = poll_until(lambda: (known := shared.read()).problem and known, "the problem", 5)
    assert (away.value, away.heard, away.problem) == (first.value, first.heard, "Kafka is away")
    source.failing = None
    back = poll_until(lambda: (known := shared.read()).problem is None and known, "recovery", 5)
    assert back.value > first.value
    assert back.heard > first.heard


def test_a_source_is_opened_anew_after_nobody_has_asked_for_long():
    source = Source()
    shared = Shared(source, interval=0, idle=0)
    assert [shared.read().value for _ in range(3)] == [1, 2, 3]
    assert source.opened == 3


def test_a_defect_is_told_and_logged_and_does_not_end_the_reading(caplog):
    source = Source()
    shared = Shared(source, interval=0)
    source.failing = ZeroDivisionError("a defect")
    assert shared.read().problem == "ZeroDivisionError: a defect"
    assert "ZeroDivisionError" in caplog.text
    source.failing = None
    poll_until(lambda: shared.read().value, "a value", 5)
