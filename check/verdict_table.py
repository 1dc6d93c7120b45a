"""Show a verdict as a table for people."""

from rich.table import Table
from rich.text import Text

from contract.verdict import Verdict


def verdict_table(verdict: Verdict) -> Table:
    """Return a row for each comparison, with the first differences below what is compared."""
    title = "The check holds" if verdict.holds else "The check does not hold"
    table = Table(title=title, caption=Text("\n".join(verdict.notes), "table.caption"))
    table.caption_justify = "left"
    table.add_column("what", overflow="fold")
    table.add_column("expected", justify="right")
    table.add_column("found", justify="right")
    table.add_column("verdict")
    for each in verdict.comparisons:
        holds = Text("holds", "green") if each.holds else Text("differs", "bold red")
        examples = "".join(f"\n  {example}" for example in each.examples)
        table.add_row(Text(each.what + examples), each.expected, each.found, holds)
    return table
