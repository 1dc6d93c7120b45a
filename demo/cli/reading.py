"""Look at what the demo does, and prove it."""

from contextlib import suppress
from typing import Annotated

import typer

from contract.errors import UserError
from contract.print_line import print_to_stderr
from contract.settings import Settings
from demo.cli.app import READ, app, new_console, settings_with
from demo.cli.options import ReportFormat, Since, Table, TableFormat


@app.command(rich_help_panel=READ)
def report(
    format: Annotated[ReportFormat, typer.Option(help="How to print it.")] = ReportFormat.TABLE,  # noqa: A002
    threshold: Annotated[
        int | None,
        typer.Option(min=0, help="Show counts above this; NEST_THRESHOLD by default."),
    ] = None,
    as_of: Annotated[
        str | None,
        typer.Option(help="Recount the archive as it was at a version or time (UTC)."),
    ] = None,
    follow: Annotated[
        bool,
        typer.Option(
            "--follow", help="Wait until the history is counted, then print each new row as well."
        ),
    ] = False,
) -> None:
    """Print the zip codes and hours with the most people seen."""
    from contract.counts import read_counts
    from contract.counts import report as make_report
    from contract.redaction import redact_text
    from demo.commands.report import as_csv, as_json, counts_as_of, report_table

    settings = settings_with() if as_of is None else settings_with(None)
    threshold = settings.threshold if threshold is None else threshold
    if follow:
        if as_of is not None or format is not ReportFormat.TABLE:
            raise UserError("--follow prints the report of now, as a table.")
        _print_following(settings, threshold)
        return
    if as_of is not None:
        counted = counts_as_of(settings, as_of)
        rows = make_report(counted, threshold)
    else:
        counts = read_counts(settings.kafka)
        rows = make_report(counts.by_key, threshold)
        for line in counts.unreadable:
            typer.echo(f"Not a count in nest-camera-stats: {redact_text(line)}", err=True)
        if earlier := counts.unreadable_total - len(counts.unreadable):
            typer.echo(f"Earlier records there that are no counts, either: {earlier:,}.", err=True)
    if format is ReportFormat.TABLE:
        new_console().print(report_table(rows, threshold))
    else:
        typer.echo(as_json(rows) if format is ReportFormat.JSON else as_csv(rows))


def _print_following(settings: Settings, threshold: int) -> None:
    from demo.commands.follow_report import follow_report
    from demo.commands.report import addresses, as_line, how_to_prove, report_table
    from demo.stack.signals import interruptible

    console = new_console()
    with suppress(KeyboardInterrupt), interruptible():
        reports = follow_report(settings, threshold, print_to_stderr)
        console.print(report_table(next(reports), threshold))
        console.print(f"{addresses(settings)}\n{how_to_prove(settings)}")
        for rows in reports:
            for row in rows:
                console.print(as_line(row))


@app.command(rich_help_panel=READ)
def check(
    format: Annotated[TableFormat, typer.Option(help="How to print it.")] = TableFormat.TABLE,  # noqa: A002
    progress: Annotated[
        bool,
        typer.Option(
            "--progress",
            help="With json: print records done and in total, and the values compared so far, to "
            "standard error, as JSON lines.",
        ),
    ] = False,
) -> None:
    """Recount everything in Kafka and compare the lake and the counts with it."""
    import json
    from datetime import UTC, datetime

    from check import run_check
    from demo.health.check import keep_verdict, show_check, wait_for_first_batches
    from demo.stack.device_locations import with_device_locations
    from demo.stack.signals import interruptible_as

    def print_progress(done: int, total: int, values: int) -> None:
        typer.echo(json.dumps({"done": done, "total": total, "values": values}), err=True)

    settings = with_device_locations(settings_with())
    started_at = datetime.now(UTC)
    # So that what it has put on disk is removed.
    with interruptible_as("Stopped before the verdict."):
        if format is TableFormat.JSON:
            wait_for_first_batches(settings, print_to_stderr)
            verdict = run_check(settings, print_progress if progress else None)
        else:
            verdict = show_check(settings, new_console())
    keep_verdict(settings, verdict, started_at)
    if format is TableFormat.JSON:
        typer.echo(json.dumps(verdict.as_json(), indent=2))
    raise typer.Exit(0 if verdict.holds else 1)


@app.command(rich_help_panel=READ)
def tail(
    topic: Annotated[str, typer.Argument(help="For example nest-logs or nest-camera-stats.")],
    since: Annotated[Since, typer.Option("--from", help="Where to begin.")] = Since.LATEST,
    count: Annotated[int | None, typer.Option("-n", min=1, help="Stop after this many.")] = None,
    pretty: Annotated[bool, typer.Option("--pretty", help="Indent JSON.")] = False,
) -> None:
    """Print a topic's records as they come, with credentials hidden."""
    from demo.commands.tail import body, follow, heading

    def print_waiting() -> None:
        typer.echo(f"Waiting for records in {topic}. Ctrl-C stops.", err=True)

    kafka = settings_with().kafka
    for record in follow(kafka, topic, since.value, count, print_waiting):
        typer.secho(heading(record), fg="cyan")
        typer.echo(body(record, pretty))


@app.command(rich_help_panel=READ)
def history(
    table: Table,
    count: Annotated[int, typer.Option("-n", min=1, max=1000, help="How many versions.")] = 20,
    format: Annotated[TableFormat, typer.Option(help="How to print it.")] = TableFormat.TABLE,  # noqa: A002
) -> None:
    """Print a Delta table's versions: when, by which operation, how many rows and files."""
    from demo.commands.history import as_json, commits_table, read_history

    commits = read_history(settings_with(None), table, count)
    if format is TableFormat.JSON:
        typer.echo(as_json(commits))
    else:
        new_console().print(commits_table(table, commits))


@app.command(rich_help_panel=READ)
def example(
    name: Annotated[str | None, typer.Argument(help="Which one to run; none lists them.")] = None,
) -> None:
    """List the examples, or run one on a Kafka and in a folder of its own."""
    from demo.commands.example import examples_table, run_example
    from examples.registry import find_example

    if name is None:
        new_console().print(examples_table())
    else:
        run_example(settings_with(None), find_example(name), new_console())


@app.command(rich_help_panel=READ)
def doctor() -> None:
    """Examine whether this machine can run the demo, and print what to do where it cannot."""
    from demo.commands.doctor import examine
    from demo.commands.doctor_finding import Severity, findings_table
    from demo.stack.addresses import runs_here
    from demo.stack.exclusive_commands import ExclusiveCommand

    settings = settings_with()
    findings = examine(settings, beside_demo=runs_here(settings, ExclusiveCommand.UP))
    console = new_console()
    console.print(findings_table(findings))
    problems = [each for each in findings if each.severity is Severity.PROBLEM]
    if problems:
        raise typer.Exit(1)
    console.print("No problem found.")


@app.command(rich_help_panel=READ)
def settings() -> None:
    """Print every setting with its default, as docs/settings.md has them."""
    from demo.commands.settings import settings_page

    typer.echo(settings_page(), nl=False)
