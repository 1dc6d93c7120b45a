"""`nest maintain`: what it may be asked, and its result as a table."""

from typing import TYPE_CHECKING

from rich.table import Table

from contract.duration import parse_duration, whole_hours
from contract.errors import UserError
from contract.settings import MIN_VERSION_RETENTION

if TYPE_CHECKING:
    from pipeline.maintenance.maintain import Maintained


def retention_hours(text: str | None, force: bool) -> int | None:
    """Read the option --retention as whole hours, rounded up; None without it.

    Raises UserError for what is no duration, without ``force`` for less than a day, and for
    ``force`` alone.
    """
    if text is None and force:
        raise UserError("--force allows a short --retention: it means nothing without one.")
    if text is None:
        return None
    try:
        retention = parse_duration(text)
    except ValueError as error:
        raise UserError(f"--retention: {error}") from None
    if retention < MIN_VERSION_RETENTION and not force:
        raise UserError(
            f"--retention {text} is less than a day. A check, a stream that lags behind, or a long "
            "batch that is not committed yet could still need the files. If none runs, add --force."
        )
    return whole_hours(retention)


def maintenance_table(tables: "list[Maintained]") -> Table:
    """Return what each table takes, before and after, and what failed below."""
    shown = Table()
    for heading in ("table", "what"):
        shown.add_column(heading)
    for heading in ("before", "after"):
        shown.add_column(heading, justify="right")
    for each in tables:
        old, new = each.before, each.after
        for what, before, after, is_bytes in (
            ("files of the newest version", old.files, new.files, False),
            ("", old.bytes, new.bytes, True),
            ("all files on disk", old.stored_files, new.stored_files, False),
            ("", old.stored_bytes, new.stored_bytes, True),
            ("files of the log", old.log_files, new.log_files, False),
            ("", old.log_bytes, new.log_bytes, True),
        ):
            name = each.table if what.startswith("files of the newest") else ""
            shown.add_row(name, what, _amount(before, is_bytes), _amount(after, is_bytes))
        shown.add_section()
    failures = [f"{each.table} was not finished: {each.failure}" for each in tables if each.failure]
    shown.caption = "\n".join(failures) or None
    shown.caption_justify = "left"
    return shown


def _amount(number: int, is_bytes: bool) -> str:
    return f"{number / 1000:,.0f} kB" if is_bytes else f"{number:,}"
