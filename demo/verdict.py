"""The check's verdict for people."""

from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from contract.settings import Settings
from demo.check import Verdict, run_check


def show_check(settings: Settings, console: Console) -> Verdict:
    """Run the check with its progress shown, print the verdict and return it."""
    with Progress(console=console, transient=True) as bar:
        task = bar.add_task("Checking", total=None)
        verdict = run_check(
            settings, lambda done, total: bar.update(task, completed=done, total=total)
        )
    console.print(as_table(verdict))
    for comparison in verdict.comparisons:
        if not comparison.holds:
            console.print(f"{comparison.what}: the first differences", style="bold red")
            for example in comparison.examples:
                console.print(f"  {example}", markup=False, highlight=False)
    for note in verdict.notes:
        console.print(f"Note: {note}", markup=False, highlight=False)
    return verdict


def as_table(verdict: Verdict) -> Table:
    """Return what was compared, one comparison a line."""
    table = Table(title="The check", title_justify="left")
    table.add_column("what")
    table.add_column("expected", justify="right")
    table.add_column("found", justify="right")
    table.add_column("verdict")
    for each in verdict.comparisons:
        word = "[green]holds[/]" if each.holds else "[bold red]differs[/]"
        table.add_row(each.what, each.expected, each.found, word)
    table.caption = "Everything holds." if verdict.holds else "It does not hold."
    return table
