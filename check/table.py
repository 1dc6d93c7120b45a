"""Show a verdict as a table for people."""

from rich.markup import escape
from rich.table import Table

from check.verdict import Verdict


def verdict_table(verdict: Verdict) -> Table:
    """Return a row for each comparison, with the first differences below what is compared."""
    title = "The check holds" if verdict.holds else "The check does not hold"
    table = Table(title=title, caption="\n".join(map(escape, verdict.notes)) or None)
    table.caption_justify = "left"
    table.add_column("what", overflow="fold")
    table.add_column("expected", justify="right")
    table.add_column("found", justify="right")
    table.add_column("verdict")
    for each in verdict.comparisons:
        holds = "[green]holds[/]" if each.holds else "[bold red]differs[/]"
        examples = "".join(f"\n  {example}" for example in each.examples)
        table.add_row(escape(each.what + examples), each.expected, each.found, holds)
    return table
