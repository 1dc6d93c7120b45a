"""How many rows the quarantine has, from its log alone."""

from collections.abc import Iterator

from contract.delta_tables import table_size
from contract.lake import QUARANTINE, table_uri
from dashboard.data.lake.delta_table import explain_read_errors, open_table


def read_quarantine_size(root: str) -> Iterator[int | None]:
    """Yield the number of rows each time; None if there is no table, or it does not tell.

    UserError if the table cannot be read.
    """
    while True:
        table = open_table(root, QUARANTINE)
        with explain_read_errors(table_uri(root, QUARANTINE)):
            rows = table_size(table).rows if table else None
        yield rows
