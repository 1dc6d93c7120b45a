"""A scrape is answered from what was read in the background, and never by what is too old."""

import threading
from collections.abc import Iterator

import pytest

from contract.errors import UserError
from contract.polling import poll_until
from monitoring.background_reader import BackgroundReader


class Source:
    """Yields 1, 2, 3 and so on; fails, or hangs until it is released, when it is told to."""

    def __init__(self) -> None:
        self.failure: Exception | None = None
        self.may_go_on = threading.Event()
        self.may_go_on.set()
        self.opened = self._count = 0

    def __call__(self) -> Iterator[int]:
        self.opened += 1
        while True:
            self.may_go_on.wait()
            if self.failure:
                raise self.failure
            self._count += 1
            yield self._count


def reading(source: Source, said: list[str], believed_for: float = 60) -> BackgroundReader[int]:
    reader = BackgroundReader(source, 0.001, believed_for, said.append)
    reader.start()
    return reader


@pytest.mark.parametrize("failure", [UserError("Nobody answers."), RuntimeError("a defect")])
def test_after_a_failure_there_is_no_value_until_the_source_can_be_read_again(
    failure: Exception,
) -> None:
    source, said = Source(), list[str]()
    reader = reading(source, said)
    poll_until(lambda: reader.latest, "a value", 10, 0.001)
    source.failure = failure
    poll_until(lambda: reader.latest is None and said, "the failure", 10, 0.001)
    assert not reader.is_pending
    source.failure = None
    poll_until(lambda: reader.latest, "the next value", 10, 0.001)
    reader.stop()
    assert source.opened > 1
    text = str(failure) if isinstance(failure, UserError) else "RuntimeError: a defect"
    poll_until(lambda: said == [text, "It can be read again."], "what is said, once each", 10)


def test_another_problem_is_said_while_the_first_one_lasts() -> None:
    source, said = Source(), list[str]()
    source.failure = UserError("There is no table camera.")
    reader = reading(source, said)
    poll_until(lambda: said, "the first problem", 10, 0.001)
    source.failure = UserError("There is no table quarantine.")
    poll_until(lambda: len(said) > 1, "the second problem", 10, 0.001)
    reader.stop()
    assert said == ["There is no table camera.", "There is no table quarantine."]


def test_the_value_of_a_source_that_hangs_is_not_believed_for_ever() -> None:
    source, said = Source(), list[str]()
    reader = reading(source, said, believed_for=0.2)
    poll_until(lambda: reader.latest, "a value", 10, 0.001)
    source.may_go_on.clear()
    poll_until(lambda: reader.latest is None, "the end of the belief", 10, 0.01)
    source.may_go_on.set()
    poll_until(lambda: reader.latest, "the next value", 10, 0.001)
    reader.stop()


def test_nothing_is_known_while_the_first_read_is_under_way_and_then_it_is_late() -> None:
    source = Source()
    source.may_go_on.clear()
    reader = reading(source, [], believed_for=2)
    assert reader.is_pending
    poll_until(lambda: not reader.is_pending, "the end of patience", 10, 0.01)
    assert reader.latest is None
    reader.stop()
    source.may_go_on.set()
