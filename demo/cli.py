"""The `nest` command line. Each command imports its room when it runs."""

import os
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from contract.errors import UserError

if TYPE_CHECKING:
    from rich.console import Console

    from contract.settings import Settings

app = typer.Typer(
    help="Streaming analytics of simulated Nest cameras on real Kafka, Spark and Delta Lake.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)


class ReportFormat(StrEnum):
    """How the report is printed."""

    TABLE = "table"
    JSON = "json"
    CSV = "csv"


class CheckFormat(StrEnum):
    """How the check's verdict is printed."""

    TABLE = "table"
    JSON = "json"


class Since(StrEnum):
    """Where a topic is read from."""

    EARLIEST = "earliest"
    LATEST = "latest"


Messages = Annotated[int | None, typer.Option(min=1, help="Stop after so many messages.")]
Start = Annotated[
    datetime | None,
    typer.Option(
        formats=["%Y-%m-%dT%H:%M:%S", "%Y-%m-%dT%H:%M:%S%z", "%Y-%m-%d"],
        help="When the simulated story begins, in UTC unless it says otherwise.",
    ),
]
Seed = Annotated[int | None, typer.Option(help="Seed of the world; NEST_SEED by default.")]
Homes = Annotated[int | None, typer.Option(min=1, help="How many; NEST_HOMES by default.")]


@app.command()
def up() -> None:
    """Run the whole demo, live, until Ctrl-C."""
    from demo.up import up as run_up

    run_up(_settings(), _console())


@app.command()
def run(
    messages: Annotated[int, typer.Option(min=1, help="How many messages to produce.")] = 20_000,
    seed: Seed = None,
    homes: Homes = None,
    start: Start = None,
) -> None:
    """Run the whole chain once, in a folder of its own, and prove the result."""
    from demo.run import run as run_all

    verdict = run_all(_settings(seed=seed, homes=homes), messages, _utc(start), _console())
    raise typer.Exit(0 if verdict.holds else 1)


@app.command()
def broker(
    port: Annotated[int | None, typer.Option(min=1, max=65535, help="Port to listen on.")] = None,
    data: Annotated[Path | None, typer.Option(help="Folder of its records.")] = None,
) -> None:
    """Run the embedded Kafka until Ctrl-C."""
    from demo.stack.foreground import run_broker

    run_broker(_settings(), port, data, _console())


@app.command()
def topics() -> None:
    """Create the topics and verify their settings."""
    from contract.topics import TOPICS
    from demo.topics import ensure_topics

    created = ensure_topics(_settings().bootstrap_servers)
    for topic in TOPICS:
        word = "created" if topic.name in created else "as it should be"
        typer.echo(f"{topic.name}: {word}")


@app.command()
def produce(messages: Messages = None, start: Start = None) -> None:
    """Simulate the homes: the history, then live until Ctrl-C."""
    from producer.produce import produce as run_producer

    run_producer(_settings(), messages=messages, start=_utc(start))


@app.command()
def pipeline(
    once: Annotated[
        bool, typer.Option("--once", help="To the end of the input, then exit.")
    ] = False,
    rebuild_counts: Annotated[
        bool,
        typer.Option("--rebuild-counts", help="Forget the counts: the next start counts anew."),
    ] = False,
) -> None:
    """Run the Spark application: archive and counts."""
    from demo.device_locations import with_device_locations
    from pipeline import app as application

    settings = with_device_locations(_settings())
    if rebuild_counts:
        application.rebuild_counts(settings)
        typer.echo("The counts are forgotten; `nest pipeline` counts from the first message.")
    else:
        application.run_pipeline(settings, once=once)


@app.command()
def dashboard(
    port: Annotated[int | None, typer.Option(min=1, max=65535, help="Port to serve.")] = None,
) -> None:
    """Serve the dashboard until Ctrl-C."""
    from dashboard.serve import dashboard_command
    from demo.device_locations import with_device_locations

    settings = with_device_locations(_settings())
    os.environ["NEST_DEVICE_LOCATIONS"] = settings.device_locations
    port = port or settings.dashboard_port
    typer.echo(f"Dashboard: http://localhost:{port}")
    command = dashboard_command(port, settings.bind_address)
    os.execv(command[0], command)  # noqa: S606 - the command takes this process's place


@app.command()
def report(
    format: Annotated[ReportFormat, typer.Option(help="How to print it.")] = ReportFormat.TABLE,  # noqa: A002
    threshold: Annotated[
        int | None, typer.Option(min=0, help="More than this; NEST_THRESHOLD by default.")
    ] = None,
) -> None:
    """Print the zip codes and hours with the most people seen."""
    from contract.counts import report as make_report
    from demo import report_formats as show

    settings = _settings()
    threshold = settings.threshold if threshold is None else threshold
    counts = show.read_counts(settings.bootstrap_servers)
    rows = make_report(counts.by_key, threshold)
    for line in counts.unreadable:
        typer.echo(f"Not a count in nest-camera-stats: {line}", err=True)
    if format is ReportFormat.TABLE:
        _console().print(show.as_table(rows, threshold))
    else:
        typer.echo(show.as_json(rows) if format is ReportFormat.JSON else show.as_csv(rows))


@app.command()
def check(
    format: Annotated[CheckFormat, typer.Option(help="How to print it.")] = CheckFormat.TABLE,  # noqa: A002
    progress: Annotated[
        bool,
        typer.Option(
            "--progress", help="With json: tell records done and in all on standard error, in JSON."
        ),
    ] = False,
) -> None:
    """Recount everything in Kafka and compare the lake and the counts with it."""
    import json

    from check import run_check
    from demo.device_locations import with_device_locations
    from demo.show_check import show_check, wait_for_first_batches

    def tell(done: int, total: int) -> None:
        typer.echo(json.dumps({"done": done, "total": total}), err=True)

    settings = with_device_locations(_settings())
    if format is CheckFormat.JSON:
        wait_for_first_batches(settings)
        verdict = run_check(settings, tell if progress else None)
        typer.echo(json.dumps(verdict.as_json(), indent=2))
    else:
        verdict = show_check(settings, _console())
    raise typer.Exit(0 if verdict.holds else 1)


@app.command()
def tail(
    topic: Annotated[str, typer.Argument(help="For example nest-logs or nest-camera-stats.")],
    since: Annotated[Since, typer.Option("--from", help="Where to begin.")] = Since.LATEST,
    count: Annotated[int | None, typer.Option("-n", min=1, help="Stop after so many.")] = None,
    pretty: Annotated[bool, typer.Option("--pretty", help="JSON over many lines.")] = False,
) -> None:
    """Print a topic's records as they come, credentials hidden."""
    from demo.tail import body, follow, heading

    for record in follow(_settings().bootstrap_servers, topic, since.value, count):
        typer.secho(heading(record), fg="cyan")
        typer.echo(body(record, pretty))


@app.command()
def doctor() -> None:
    """Look whether this machine can run the demo, and say what to do."""
    from demo.doctor import State, as_table, examine

    findings = examine(_settings())
    _console().print(as_table(findings))
    raise typer.Exit(1 if any(each.state is State.PROBLEM for each in findings) else 0)


@app.command()
def ready(
    within: Annotated[float, typer.Option(min=0, help="Seconds it may take.")] = 10.0,
) -> None:
    """Exit with 0 once all that is in nest-logs now has been counted."""
    from demo.ready import require_counts

    require_counts(_settings(), within)
    typer.echo("The counts are up to date.")


@app.command()
def reset(
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    everything: Annotated[bool, typer.Option("--all", help="The jars as well.")] = False,
) -> None:
    """Remove what runs left behind, after asking."""
    from demo.disk_usage import megabytes
    from demo.reset import remove, what_to_remove

    found = what_to_remove(_settings(), everything)
    if not found:
        typer.echo("There is nothing to remove.")
        return
    for path, size in found.items():
        typer.echo(f"{megabytes(size):>10}  {path}")
    if not yes and not typer.confirm("Remove all of this?"):
        raise typer.Exit(1)
    remove(list(found))


@app.command()
def jars() -> None:
    """Fetch the jars that Spark and the embedded Kafka need, once, and verify them."""
    from rich.progress import Progress

    from demo.stack.jars.resolve import fetch_jars

    state = _settings().state
    with Progress(console=_console()) as bar:
        task = bar.add_task("Fetching the jars", total=None)
        new = fetch_jars(state, lambda done, total: bar.update(task, completed=done, total=total))
        bar.update(task, visible=new)
    typer.echo(f"The jars in {state / 'jars'} are as they should be.")


@app.command("device-locations")
def device_locations(
    path: Annotated[Path, typer.Argument(help="The CSV file to write.")],
    seed: Seed = None,
    homes: Homes = None,
) -> None:
    """Write the table of a world's cameras and their zip codes."""
    from producer.device_locations import write_device_locations

    settings = _settings(seed=seed, homes=homes)
    write_device_locations(path, settings.seed, settings.homes)
    typer.echo(f"{path}: the cameras of {settings.homes:,} homes, seed {settings.seed}")


@app.command()
def settings() -> None:
    """Print every setting, as docs/settings.md has them."""
    from demo.settings_page import as_markdown

    typer.echo(as_markdown(), nl=False)


def _settings(**options: int | None) -> "Settings":
    """Return the settings of the environment, with the options that were given."""
    from contract.settings import load_settings

    given = {name: value for name, value in options.items() if value is not None}
    return load_settings().model_copy(update=given)


def _console() -> "Console":
    from rich.console import Console

    return Console()


def _utc(moment: datetime | None) -> datetime | None:
    return moment if moment is None or moment.tzinfo else moment.replace(tzinfo=UTC)


def main() -> None:
    """Run the command line; an error that a user can mend is printed without a traceback."""
    try:
        app()
    except (UserError, OSError) as error:
        typer.secho(str(error), fg="red", err=True)
        raise SystemExit(1) from None


if __name__ == "__main__":
    main()
