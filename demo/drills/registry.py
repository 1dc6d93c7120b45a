"""The drills by name, and as a table."""

from difflib import get_close_matches

from rich.table import Table
from rich.text import Text

from contract.errors import UserError
from demo.drills import checkpoints, compaction, disk, kills, records, tables, topics
from demo.drills.drill import Drill

DRILLS: dict[str, Drill] = {
    drill.name: drill
    for group in (kills, disk, records, compaction, checkpoints, tables, topics)
    for drill in group.DRILLS
}
"""All drills, in the order in which a workshop runs them."""


def find_drill(name: str) -> Drill:
    """Return the drill of that name; UserError, with the nearest names, if there is none."""
    if name in DRILLS:
        return DRILLS[name]
    near = get_close_matches(name.lower(), DRILLS, n=3, cutoff=0.5)
    hint = f"Did you mean {' or '.join(near)}?" if near else "`nest drill list` lists them."
    raise UserError(f"There is no drill {name}. {hint}")


def drills_table() -> Table:
    """Return all drills with what each does."""
    table = Table("drill", "what it does", box=None, pad_edge=False)
    for drill in DRILLS.values():
        table.add_row(drill.name, Text(drill.does))
    return table
