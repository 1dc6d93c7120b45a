"""A throttle lets something happen once in a while."""

from producer.throttle import Throttle


def test_a_throttle_is_true_at_once_and_then_not_for_a_while() -> None:
    due = Throttle(60)
    assert [due(), due()] == [True, False]


def test_a_throttle_is_true_again_after_its_time() -> None:
    due = Throttle(0)
    assert [due(), due()] == [True, True]
