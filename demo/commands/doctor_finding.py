"""What `nest doctor` finds, one thing at a time, and all of it as a table."""

from dataclasses import dataclass
from enum import Enum

from rich.table import Table
from rich.text import Text


class Severity(Enum):
    """How much a finding matters, as a word and its style."""

    OK = "ok", "green"
    NOTE = "note", "yellow"
    PROBLEM = "problem", "bold red"


@dataclass(frozen=True)
class Finding:
    """One thing examined: what was found, and what to do about it."""

    what: str
    severity: Severity
    found: str
    advice: str = ""


def findings_table(findings: list[Finding]) -> Table:
    """Return the findings for a terminal."""
    table = Table()
    for column in ("what", "result", "found", "what to do"):
        table.add_column(column)
    for each in findings:
        table.add_row(each.what, Text(*each.severity.value), each.found, each.advice)
    return table
