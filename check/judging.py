"""An expectation, and the ways to judge it: functions of a run's findings, which read nothing."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from check.counted_cases import CountedCases
from check.findings import Findings, StatusFindings, TableFindings
from check.rules.columns import Columns
from contract.queries import Query
from contract.verdict import Comparison

Judge = Callable[[str, Findings], Comparison | None]
"""Takes the text of the line and the findings; None where there is nothing to compare."""

FindTable = Callable[[Findings], TableFindings | StatusFindings]
"""Takes from a run's findings those of a table."""


@dataclass(frozen=True)
class Expectation:
    """One row of the table."""

    stage: str
    what: str
    """The text of its line in the verdict."""
    holds_if: str
    """What must hold, as a sentence for people."""
    read_from: str
    """How both sides of the comparison are read."""
    judge: Judge
    is_always_shown: bool = True
    """Whether the verdict has its line also where it holds."""

    def compare(self, findings: Findings) -> Comparison | None:
        """Judge a run's findings; None where there is nothing to compare."""
        return self.judge(self.what, findings)


def compare_all(expectations: Iterable[Expectation], findings: Findings) -> list[Comparison]:
    """Judge a run's findings by some expectations; return the lines of the verdict."""
    return [
        comparison
        for expectation in expectations
        if (comparison := expectation.compare(findings))
        and (expectation.is_always_shown or not comparison.holds)
    ]


def must_be_at_least_one(number: Callable[[Findings], int]) -> Judge:
    """Hold if a number is not zero: comparing nothing proves nothing."""

    def judge(what: str, findings: Findings) -> Comparison:
        found = number(findings)
        return Comparison(what, "at least 1", f"{found:,}", found > 0)

    return judge


def must_be_between(
    limits: Callable[[Findings], tuple[int, int]], number: Callable[[Findings], int]
) -> Judge:
    """Hold if a number lies between two limits, both inclusive."""

    def judge(what: str, findings: Findings) -> Comparison:
        (lowest, highest), found = limits(findings), number(findings)
        expected = f"{lowest:,}" if lowest == highest else f"{lowest:,} to {highest:,}"
        return Comparison(what, expected, f"{found:,}", lowest <= found <= highest)

    return judge


def must_be_none(
    cases: Callable[[Findings], CountedCases], of: Callable[[Findings], int] | None = None
) -> Judge:
    """Hold if there is no case of a difference; ``of`` says out of how many."""

    def judge(what: str, findings: Findings) -> Comparison:
        found = cases(findings)
        expected = f"0 of {of(findings):,}" if of else "0"
        return Comparison(what, expected, f"{found.count:,}", not found.count, found.first_cases)

    return judge


def has_sightings_query(findings: Findings) -> bool:
    """Tell whether the query sightings is on."""
    return findings.streamed is not None


def must_have_committed_records(query: Query, *, at_least: int) -> Judge:
    """Hold if a query has committed some records, or all where it must be complete."""

    def limits(findings: Findings) -> tuple[int, int]:
        total = sum(end - start for start, end in findings.bounds.values())
        return (total if findings.must_be_complete else min(at_least, total)), total

    def committed(findings: Findings) -> int:
        offsets = findings.committed.get(query, {})
        return sum(
            max(0, min(offsets.get(partition, 0), end) - start)
            for partition, (start, end) in findings.bounds.items()
        )

    return must_be_between(limits, committed)


def offsets_beyond_end(query: Query) -> Callable[[Findings], CountedCases]:
    """Find the partitions of which a query has committed more than nest-logs has."""

    def cases(findings: Findings) -> CountedCases:
        beyond = CountedCases()
        for partition, offset in sorted(findings.committed.get(query, {}).items()):
            _, end = findings.bounds.get(partition, (0, 0))
            if offset > end:
                beyond.add(f"partition {partition} ends at {end}, {query} has committed {offset}")
        return beyond

    return cases


def where(condition: Callable[[Findings], bool], judge: Judge) -> Judge:
    """Judge only findings of which a condition is true."""
    return lambda what, findings: judge(what, findings) if condition(findings) else None


def must_exist(find_table: FindTable) -> Judge:
    """Hold if the lake has a table."""

    def judge(what: str, findings: Findings) -> Comparison:
        exists = find_table(findings).columns is not None
        return Comparison(what, "there", "there" if exists else "missing", exists)

    return judge


def must_have_columns(find_table: FindTable, columns: Columns) -> Judge:
    """Hold if a table has its columns and those of the position, and no others."""
    expected = {*columns, "partition", "offset"}

    def judge(what: str, findings: Findings) -> Comparison | None:
        there = find_table(findings).columns
        if there is None:
            return None
        number, found = f"{len(expected)}", set(there)
        if found == expected:
            return Comparison(what, number, number, True)
        differences = (("without", expected - found), ("with", found - expected))
        text = "; ".join(
            f"{word} {', '.join(sorted(names))}" for word, names in differences if names
        )
        return Comparison(what, number, text, False)

    return judge
