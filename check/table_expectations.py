"""What must hold for a Delta table, whatever its rows are compared with."""

from dataclasses import dataclass
from functools import partial

from check.findings import Findings
from check.judging import (
    Expectation,
    FindTable,
    must_be_between,
    must_be_none,
    must_exist,
    must_have_columns,
)
from check.row_comparison import RowComparison
from check.rules.columns import Columns


@dataclass(frozen=True)
class TableSentences:
    """What must hold for a table and its rows, as sentences for people."""

    table: str
    columns: str
    number: str
    missing: str
    doubled: str
    unexpected: str
    differing: str


def table_expectations(
    name: str,
    columns: Columns,
    find_table: FindTable,
    holds_if: TableSentences,
    *,
    stage: str,
    number_line: str,
    unexpected_line: str,
    read_from: str,
) -> list[Expectation]:
    """Return what must hold for a table and for the comparison of its rows.

    ``number_line`` and ``unexpected_line`` are the texts of the lines on how many rows there are,
    and on those that must not be there.
    """
    row = partial(Expectation, stage, read_from=read_from)

    def comparison(findings: Findings) -> RowComparison:
        return find_table(findings).comparison

    return [
        row(
            f"table {name}",
            holds_if.table,
            read_from="the lake",
            judge=must_exist(find_table),
            is_always_shown=False,
        ),
        row(
            f"columns of {name}",
            holds_if.columns,
            read_from=f"the schema of `{name}`",
            judge=must_have_columns(find_table, columns),
        ),
        row(
            number_line,
            holds_if.number,
            judge=must_be_between(
                lambda found: (comparison(found).required, comparison(found).possible),
                lambda found: comparison(found).found,
            ),
        ),
        row(
            f"{stage} rows missing",
            holds_if.missing,
            judge=must_be_none(lambda found: comparison(found).missing),
        ),
        row(
            f"{stage} rows doubled",
            holds_if.doubled,
            judge=must_be_none(lambda found: comparison(found).doubled),
        ),
        row(
            unexpected_line,
            holds_if.unexpected,
            judge=must_be_none(lambda found: comparison(found).unexpected),
        ),
        row(
            f"{stage} values that differ",
            holds_if.differing,
            judge=must_be_none(
                lambda found: comparison(found).differing,
                of=lambda found: comparison(found).values,
            ),
        ),
    ]
