"""`nest report`: the report as a table, as JSON and as CSV."""

import json
from collections.abc import Sequence

from rich.console import Console
from rich.table import Table

from contract.counts import Counts, ReportRow, report
from contract.csv_text import csv_text
from contract.instants import format_hour
from contract.settings import Settings
from contract.stats import StatsKey
from contract.version_choice import parse_version
from demo.commands.spark_start import announce_spark
from demo.stack.ports import web_address
from demo.stack.typed_command import typed_nest


def counts_as_of(settings: Settings, as_of: str) -> dict[StatsKey, int]:
    """Recount the archive as it was at a version or time; UserError if that cannot be read."""
    version = parse_version(as_of)  # a typing error need not wait for Spark
    announce_spark()
    from demo.stack.device_locations import with_device_locations
    from pipeline.commands.archive_counts import counts_as_of as recount

    return recount(with_device_locations(settings), version)


def report_table(
    rows: Sequence[ReportRow], threshold: int, lower_by: str = "Try a lower --threshold."
) -> Table:
    """Return the report for a terminal; hours are in UTC.

    If it has no rows, it says ``lower_by`` what there would be some.
    """
    table = Table(title=f"More than {threshold:,} people seen", title_justify="left")
    table.add_column("zip code")
    table.add_column("hour (UTC)")
    table.add_column("people seen", justify="right")
    for row in rows:
        hour = format_hour(row.window_start, row.window_end)
        table.add_row(row.zip_code, hour, f"{row.count:,}")
    if not rows:
        table.caption = f"None. {lower_by}"
    return table


def print_report(counts: Counts, settings: Settings, console: Console) -> None:
    """Print the report of some counts, for a command that takes no threshold."""
    rows = report(counts.by_key, settings.threshold)
    console.print(report_table(rows, settings.threshold, "Set a lower NEST_THRESHOLD."))


def as_line(row: ReportRow) -> str:
    """Return a row that has joined the report as a sentence; hours are in UTC."""
    hour = format_hour(row.window_start, row.window_end)
    return f"New in the report: {row.zip_code}, {hour} UTC, {row.count:,} people seen so far."


def addresses(settings: Settings) -> str:
    """Return the addresses of the demo's pages, a line each."""
    return (
        f"Dashboard  {web_address(settings.dashboard_port, settings.bind_address)}\n"
        f"Spark UI   {web_address(settings.spark_ui_port, settings.bind_address)}"
    )


def how_to_prove(settings: Settings) -> str:
    """Return the command that proves the report, in a sentence."""
    secure = "NEST_KAFKA_SECURE=true " if settings.kafka_secure else ""
    return f"In another terminal, `{secure}{typed_nest()} check` proves the numbers."


def as_json(rows: Sequence[ReportRow]) -> str:
    """Return the report as a JSON list, highest count first."""
    return json.dumps([row.as_json() for row in rows], indent=2)


def as_csv(rows: Sequence[ReportRow]) -> str:
    """Return the report as CSV with a header, highest count first; no cell is a formula."""
    header = ["zip_code", "window_start", "window_end", "count"]
    cells = ([row.as_json()[name] for name in header] for row in rows)
    return csv_text(header, cells).rstrip("\n")
