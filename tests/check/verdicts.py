"""What tests ask of a verdict."""

from check import Verdict


def failing(verdict: Verdict) -> dict[str, str]:
    """What does not hold, with the examples of its line."""
    assert verdict.holds == all(each.holds for each in verdict.comparisons)
    return {each.what: "; ".join(each.examples) for each in verdict.comparisons if not each.holds}


def found(verdict: Verdict, what: str) -> str:
    """What one line found."""
    (value,) = [each.found for each in verdict.comparisons if each.what == what]
    return value
