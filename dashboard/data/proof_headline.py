"""The headline of the page Proof: how much was compared, and whether anything differs."""

from typing import Literal, NamedTuple

from dashboard.data.check_run import CheckRun
from dashboard.data.formatting import format_millions


class ProofHeadline(NamedTuple):
    """A figure and the words after it."""

    number: int
    """What the figure counts up to; 0 for none."""
    figure: str
    """The figure as text."""
    words: str
    tone: Literal["good", "bad", "busy", "none"]


def proof_headline(current: CheckRun, last: CheckRun) -> ProofHeadline:
    """Return the headline about the run that goes on, or else about the last verdict."""
    if current.is_running:
        return _of_run(current)
    if last.verdict is None:
        return ProofHeadline(0, "", "Nothing is proved yet", "none")
    comparisons, number = last.verdict.comparisons, last.verdict.values
    differing = len(last.verdict.differing)
    figure = format_millions(number) if number else ""
    compared = "values compared, " if number else ""
    if last.verdict.holds:
        words = "0 differ" if number else f"all {len(comparisons)} comparisons hold"
        return ProofHeadline(number, figure, compared + words, "good")
    verb = "differs" if differing == 1 else "differ"
    words = f"{differing} of the {len(comparisons)} lines below {verb}"
    return ProofHeadline(number, figure, compared + words, "bad")


def _of_run(run: CheckRun) -> ProofHeadline:
    if not run.values:
        return ProofHeadline(0, "", "The check has begun", "busy")
    return ProofHeadline(run.values, f"{run.values:,}", "values compared so far", "busy")
