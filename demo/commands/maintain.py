"""`nest maintain`: what it may be asked, and its result as a table."""

from datetime import timedelta
from typing import TYPE_CHECKING

from rich.table import Table

from contract.duration import parse_duration
from contract.errors import UserError
from demo.stack.disk_usage import format_bytes

if TYPE_CHECKING:
    from pipeline.maintenance.maintain import Maintained

MIN_RETENTION = timedelta(days=1)
"""No reader and no batch takes longer, not even a check or a first batch of a huge topic."""


def retention_hours(text: str | None, force: bool) -> int | None:
    """Read the option --retention as whole hours, rounded up; None without it.

    Raises UserError for what is no duration, and without ``force`` for less than MIN_RETENTION.
    """
    if text is None:
        return None
    try:
        retention = parse_duration(text)
    except ValueError as error:
        raise UserError(f"--retention: {error}") from None
    assert isinstance(retention, timedelta)  # noqa: S101 - what parse_duration makes of a text
    if retention < MIN_RETENTION and not force:
        raise UserError(
            f"--retention {text} is less than a day. A check, a stream that lags behind, or a long "
            "batch that is not committed yet could still need the files. If none runs, add --force."
        )
    return -(-retention // timedelta(hours=1))


def as_table(tables: "list[Maintained]") -> Table:
    """Return a row for each table: before and after, and what failed below."""
    shown = Table(title="Before → after", title_justify="left")
    shown.add_column("table")
    for heading in ("files", "bytes", "files on disk", "bytes on disk", "log files", "log bytes"):
        shown.add_column(heading, justify="right")
    for each in tables:
        old, new = each.before, each.after
        shown.add_row(
            each.table,
            _change(f"{old.files:,}", f"{new.files:,}"),
            _change(format_bytes(old.bytes), format_bytes(new.bytes)),
            _change(f"{old.stored_files:,}", f"{new.stored_files:,}"),
            _change(format_bytes(old.stored_bytes), format_bytes(new.stored_bytes)),
            _change(f"{old.log_files:,}", f"{new.log_files:,}"),
            _change(format_bytes(old.log_bytes), format_bytes(new.log_bytes)),
        )
    failures = [f"{each.table} was not finished: {each.failure}" for each in tables if each.failure]
    shown.caption = "\n".join(failures) or None
    shown.caption_justify = "left"
    return shown


def _change(before: str, after: str) -> str:
    return before if before == after else f"{before} → {after}"
