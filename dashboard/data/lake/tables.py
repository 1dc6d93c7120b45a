"""The lake's tables: versions, rows, files and sizes, now and as of any version."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime

import pandas as pd
import pyarrow.compute as pc
from deltalake import DeltaTable

from contract.errors import UserError
from contract.lake import table_uri
from dashboard.data.lake.commits import Commit, read_history
from dashboard.data.lake.delta_table import (
    TABLES,
    files_of,
    newest_of,
    query,
    readable,
    require_table,
)
from dashboard.data.lake.quarantine import QuarantineView, read_quarantine
from dashboard.data.lake.table_follower import Followed

SHOWN_ROWS = 20
_NEWEST_FILES = 5
_NEWEST_ROWS = """
    SELECT COLUMNS(lambda name: name <> 'raw') FROM data ORDER BY timestamp DESC LIMIT $most
"""


@dataclass(frozen=True)
class Extent:
    """How large a table is at a version; rows are None where the writer kept no statistics."""

    version: int
    rows: int | None
    files: int
    octets: int
    smallest: int
    median: int
    largest: int


@dataclass(frozen=True)
class TableView:
    """A table as of one refresh."""

    name: str
    id: str
    extent: Extent
    commits: dict[int, Commit]


@dataclass(frozen=True)
class LakeView:
    """The tables that are there, and what is in quarantine."""

    tables: dict[str, TableView] = field(default_factory=dict)
    quarantine: QuarantineView = field(default_factory=QuarantineView)


def read_lake(root: str) -> Iterator[LakeView]:
    """Yield the tables as of now each time; UserError when there is none or one cannot be read."""
    followed = [Followed(root, name) for name in TABLES]
    quarantine = read_quarantine(root)
    tables: dict[str, TableView] = {}
    while True:
        for each in followed:
            table = each.look()
            if table is None:
                tables.pop(each.name, None)
                continue
            known = tables.get(each.name)
            if known and known.id != table.metadata().id:
                known = None
            if known is None or known.extent.version != table.version():
                with readable(table_uri(root, each.name)):
                    commits = read_history(table, known.commits if known else {})
                    tables[each.name] = TableView(
                        each.name, table.metadata().id, extent_of(table), commits
                    )
        if not tables:
            raise UserError(
                "There is no table yet. The pipeline (`nest pipeline`) makes them when it starts; "
                "see that NEST_LAKE is that of the pipeline."
            )
        yield LakeView(dict(tables), next(quarantine))


def extent_of(table: DeltaTable) -> Extent:
    """Return how large a table is, from its log alone."""
    files = files_of(table)
    sizes, rows = files["size_bytes"], files["num_records"]
    if not files.num_rows:
        return Extent(table.version(), 0, 0, 0, 0, 0, 0)
    return Extent(
        table.version(),
        None if rows.null_count else pc.sum(rows).as_py(),
        files.num_rows,
        pc.sum(sizes).as_py(),
        pc.min(sizes).as_py(),
        int(pc.quantile(sizes, 0.5)[0].as_py()),
        pc.max(sizes).as_py(),
    )


@dataclass(frozen=True)
class TableAt:
    """A table as it was at a version."""

    extent: Extent
    rows: pd.DataFrame
    """Its newest rows."""


def table_at(root: str, name: str, version: int) -> TableAt:
    """Look at a table as of a version; UserError if that version cannot be had any more."""
    with readable(table_uri(root, name)):
        table = require_table(root, name, version)
        found = query(newest_of(table, _NEWEST_FILES), _NEWEST_ROWS, most=SHOWN_ROWS)
        return TableAt(extent_of(table), found.to_pandas())


def version_at(commits: dict[int, Commit], moment: datetime) -> int | None:
    """Return the version that was the newest at a moment; None if there was none yet."""
    return next((number for number, c in commits.items() if c.moment <= moment), None)
