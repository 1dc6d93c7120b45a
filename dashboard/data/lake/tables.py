"""The lake's tables as of one refresh after another: size, history and quarantine."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from deltalake import DeltaTable
from deltalake.exceptions import DeltaError

from contract.delta_commits import Commit, read_commits
from contract.delta_tables import TableSize, table_size
from contract.lake import TABLES, table_location
from contract.redaction import redact_text
from dashboard.data.lake.delta_table import explain_read_errors, no_table_yet, open_table
from dashboard.data.lake.quarantine import QuarantineView, read_quarantine


@dataclass(frozen=True)
class TableView:
    """A table as of one refresh."""

    name: str
    table_id: str
    """Another one after the table was recreated."""
    size: TableSize
    commits: dict[int, Commit]
    """By version, newest first; none where they cannot be read."""
    history_problem: str | None = None
    """Why they cannot be read, without credentials."""


@dataclass(frozen=True)
class LakeView:
    """The tables that exist, and what is in quarantine."""

    tables: dict[str, TableView] = field(default_factory=dict)
    quarantine: QuarantineView = field(default_factory=QuarantineView)


def read_lake(root: str) -> Iterator[LakeView]:
    """Yield the current tables each time.

    Raises NotThereYet if there is none, UserError if one cannot be read.
    """
    quarantine = read_quarantine(root)
    views: dict[str, TableView] = {}
    while True:
        for name in TABLES:  # one that does not exist is left out
            table = open_table(root, name)
            if table is None:
                views.pop(name, None)
            else:
                with explain_read_errors(table_location(root, name)):
                    views[name] = _table_view(name, table, views.get(name))
        if not views:
            raise no_table_yet()
        yield LakeView(dict(views), next(quarantine))


def _table_view(name: str, table: DeltaTable, previous: TableView | None) -> TableView:
    """Return the view of an open table; the previous view if nothing was committed since."""
    table_id = table.metadata().id
    if previous and (previous.table_id != table_id or previous.size.version > table.version()):
        previous = None  # recreated, or an older copy was put back: it is read from the start
    if previous and previous.size.version == table.version():
        return previous
    size = table_size(table)
    try:
        commits = read_commits(table, previous.commits if previous else {})
    except DeltaError as error:  # such as a torn commit before the newest checkpoint
        return TableView(name, table_id, size, {}, redact_text(str(error)))
    return TableView(name, table_id, size, commits)
