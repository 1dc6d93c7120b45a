"""`nest history`: the versions of a table, newest first."""

import json
from collections.abc import Sequence

from deltalake.exceptions import DeltaError
from rich.box import SIMPLE_HEAD
from rich.table import Table

from contract.delta_commits import Commit, read_commits
from contract.errors import UserError
from contract.instants import format_instant
from contract.settings import Settings
from demo.tables.lake_tables import open_table, reason_of


def read_history(settings: Settings, name: str, limit: int) -> list[Commit]:
    """Return a table's newest commits, newest first.

    UserError if there is no such table, or a commit among them is damaged.
    """
    table = open_table(settings, name)
    try:
        return list(read_commits(table, {}, limit).values())
    except (DeltaError, OSError) as error:
        raise UserError(
            f"One of the newest {limit} commits of {name} is damaged: {reason_of(error)}. The "
            f"table itself can be read. `nest history {name} -n N` with a smaller N lists the "
            "commits that are newer than the damaged one."
        ) from None


def commits_table(name: str, commits: Sequence[Commit]) -> Table:
    """Return the commits for a terminal; times are in UTC."""
    title = f"Versions of {name}, newest first"
    # 80 columns hold all of it on a line; only where the numbers are very long, words are wrapped.
    table = Table(
        title=title,
        title_justify="left",
        box=SIMPLE_HEAD,
        show_edge=False,
        pad_edge=False,
        padding=(0, 1, 0, 0),
    )
    table.add_column("version", justify="right", no_wrap=True)
    table.add_column("time (UTC)", no_wrap=True)
    table.add_column("operation")
    for heading in ("rows", "added", "removed", "kB"):
        table.add_column(heading, justify="right", no_wrap=True)
    table.caption = "rows written, files added and removed, and kB added"
    table.caption_justify = "left"
    for commit in commits:
        table.add_row(
            f"{commit.version}",
            f"{commit.time:%Y-%m-%d %H:%M:%S}",
            commit.operation,
            *(_number(each) for each in (commit.rows, commit.files_added, commit.files_removed)),
            _number(None if commit.bytes_added is None else round(commit.bytes_added / 1000)),
        )
    return table


def as_json(commits: Sequence[Commit]) -> str:
    """Return the commits as a JSON list, newest first; numbers nobody wrote are null."""
    documents = [{**each._asdict(), "time": format_instant(each.time)} for each in commits]
    return json.dumps(documents, indent=2)


def _number(number: int | None) -> str:
    return "" if number is None else f"{number:,}"
