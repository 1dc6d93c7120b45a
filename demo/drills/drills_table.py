"""`nest drill list`: the drills as a table."""

from collections.abc import Iterable

from rich.table import Table
from rich.text import Text

from demo.drills.drill import Drill


def drills_table(drills: Iterable[Drill]) -> Table:
    """Return the drills with what each does."""
    table = Table("drill", "what it does", box=None, pad_edge=False)
    for drill in drills:
        table.add_row(drill.name, Text(drill.does))
    return table
