"""Exercises: what is asked, what is right, and what is said of each typical wrong answer."""

import textwrap
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import ModuleType
from typing import TYPE_CHECKING, Any

from examples.error_text import in_one_line

if TYPE_CHECKING:
    from labs.lab import Lab

WIDTH = 100
"""Characters in a line of a notebook's page."""


class Wrong(Exception):
    """An answer is not right yet; the message is a hint: why, and where to look."""


class NotFilledIn(Exception):
    """An answer is still as the exercise was handed out."""


class AnswerFailed(Exception):
    """The function that is an answer raised an error; the message says which."""


@dataclass(frozen=True)
class Exercise:
    """A check with the hint for a cell that nobody has filled in yet."""

    name: str
    first_hint: str
    check: Callable[..., str]

    def judge(self, lab: "Lab", answers: tuple[object, ...]) -> tuple[bool, str]:
        """Return whether the answers are right, and what is to be said of them."""
        try:
            if any(map(is_open, answers)):
                raise NotFilledIn
            return True, self.check(lab, *answers)
        except Wrong as wrong:
            return False, str(wrong)
        except NotFilledIn:
            return False, f"replace the `...` in the cell above. {self.first_hint}"
        except AnswerFailed as failed:  # whatever the learner's code raises is a hint, no traceback
            return False, f"your answer raised {failed}"
        except Exception as error:
            hint = "If your answer looks right to you: have you run every cell above?"
            return False, f"checking your answer raised {_in_words(error)}. {hint}"


def exercise(first_hint: str) -> Callable[[Callable[..., str]], Exercise]:
    """Make a check an exercise.

    The check takes the lab and the answers, raises Wrong with a hint or returns what is worth
    saying of a right answer. ``first_hint`` is for a cell that is still as it was handed out.
    """

    def decorate(check: Callable[..., str]) -> Exercise:
        return Exercise(check.__name__, first_hint, check)

    return decorate


def exercises_of(module: ModuleType) -> dict[str, Exercise]:
    """Return the exercises of a module by name, in the order in which it defines them."""
    return {each.name: each for each in vars(module).values() if isinstance(each, Exercise)}


def call(function: Callable[..., Any], *arguments: object) -> Any:
    """Run the function that is an answer; one that returns nothing is not filled in yet."""
    try:
        result = function(*arguments)
    except Exception as error:
        raise AnswerFailed(_in_words(error)) from error
    if is_open(result):
        raise NotFilledIn
    return result


def require_whole_number(answer: object) -> None:
    """Raise Wrong, which says what the answer is instead, unless it is a whole number."""
    if isinstance(answer, str):
        raise Wrong(f"{answer!r} is text, because of its quotes. A number is asked, not text.")
    if not isinstance(answer, int) or isinstance(answer, bool):
        raise Wrong(f"{answer!r} is no whole number, and that is asked.")


def _in_words(error: Exception) -> str:
    return f"{type(error).__name__}: {in_one_line(error).rstrip('.')}"


def is_open(answer: object) -> bool:
    """Tell whether an answer, or a part of it, is still to be filled in."""
    if isinstance(answer, str):
        return answer.strip() in {"", "..."}
    if isinstance(answer, Mapping):
        return any(map(is_open, answer.values()))
    if isinstance(answer, list | tuple | set):
        return any(map(is_open, answer))
    return answer is None or answer is ...


def lines(text: str) -> str:
    """Return a text in lines that fit a notebook's page."""
    return textwrap.fill(text, WIDTH, break_on_hyphens=False, break_long_words=False)
