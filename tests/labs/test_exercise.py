"""An answer gets a verdict and a reason, whatever the learner has written."""

from types import SimpleNamespace
from typing import Any, cast

import pytest

from labs.exercise import (
    Exercise,
    Wrong,
    call,
    exercise,
    exercises_of,
    is_open,
    require_whole_number,
)
from labs.lab import Lab

LAB = cast(Lab, None)


@exercise("Look at the example.")
def double(lab: Lab, answer: Any) -> str:
    found = call(answer, 2) if callable(answer) else answer
    if found == 2:
        raise Wrong("this is the number itself.")
    return f"{found + 0} is twice two."


def test_a_right_answer_is_told_what_is_worth_knowing() -> None:
    assert double.judge(LAB, (4,)) == (True, "4 is twice two.")
    assert double.judge(LAB, (lambda n: n * 2,)) == (True, "4 is twice two.")


def test_a_wrong_answer_gets_its_hint() -> None:
    assert double.judge(LAB, (2,)) == (False, "this is the number itself.")


@pytest.mark.parametrize("answer", [..., None, "...", " ", [1, ...], {"a": ...}, lambda n: None])
def test_an_answer_that_is_not_filled_in_gets_the_first_hint(answer: object) -> None:
    is_right, text = double.judge(LAB, (answer,))
    assert not is_right
    assert text.endswith("Look at the example.")


@pytest.mark.parametrize("answer", [0, False, [], {}, "x"])
def test_an_empty_answer_is_an_answer(answer: object) -> None:
    assert not is_open(answer)


def test_an_answer_that_raises_an_error_gets_one_line() -> None:
    is_right, text = double.judge(LAB, (lambda n: int("twice"),))
    assert not is_right
    assert text.startswith("your answer raised ValueError: invalid literal")
    assert "\n" not in text


def test_an_error_beside_the_answer_is_not_said_to_be_the_answers() -> None:
    exercise = Exercise("last", "", lambda lab, answer: str([][answer]))
    is_right, text = exercise.judge(LAB, (-1,))
    assert not is_right
    assert text == (
        "checking your answer raised IndexError: list index out of range. If your answer looks "
        "right to you: have you run every cell above?"
    )


@pytest.mark.parametrize(
    ("answer", "hint"),
    [
        ("14", "'14' is text, because of its quotes. A number is asked, not text."),
        (8.5, "8.5 is no whole number"),
        (True, "True is no whole number"),
    ],
)
def test_what_is_no_whole_number_is_refused(answer: object, hint: str) -> None:
    with pytest.raises(Wrong, match=hint):
        require_whole_number(answer)
    require_whole_number(14)


def test_exercises_keep_their_order() -> None:
    module: Any = SimpleNamespace(b=double, other=1, a=Exercise("a", "", lambda lab: ""))
    assert list(exercises_of(module)) == ["double", "a"]
