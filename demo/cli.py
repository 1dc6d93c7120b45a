"""The `nest` command line. Each command imports its room when it runs, so that all start fast."""

import os
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from contract.errors import UserError
from demo.options import (
    CheckFormat,
    Homes,
    Messages,
    Port,
    Query,
    ReportFormat,
    Seed,
    Since,
    Start,
    Table,
)
from demo.stack.command import calling_hint

if TYPE_CHECKING:
    from rich.console import Console

    from contract.settings import Settings

app = typer.Typer(
    help="Streaming analytics of simulated Nest cameras on real Kafka, Spark and Delta Lake.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)


@app.command()
def up() -> None:
    """Run the whole demo, live, until Ctrl-C."""
    from demo.commands.up import up as run_up

    run_up(_settings(), _console())


@app.command()
def run(
    messages: Annotated[int, typer.Option(min=1, help="How many messages to produce.")] = 20_000,
    seed: Seed = None,
    homes: Homes = None,
    start: Start = None,
) -> None:
    """Run the whole chain once, in a folder of its own, and check the result."""
    from demo.commands.run import run as run_chain

    settings = _settings(seed=seed, homes=homes)
    verdict = run_chain(settings, messages, _in_utc(start), _console())
    raise typer.Exit(0 if verdict.holds else 1)


@app.command()
def broker(
    port: Port = None,
    data: Annotated[Path | None, typer.Option(help="Folder of Kafka's log.")] = None,
) -> None:
    """Run the embedded Kafka until Ctrl-C."""
    from demo.commands.broker import run_broker

    run_broker(_settings(), port, data, _console())


@app.command()
def topics(
    delete_up_to: Annotated[
        str | None,
        typer.Option(
            metavar="PARTITION:OFFSET",
            help="Delete the records of nest-logs up to one that Spark cannot read.",
        ),
    ] = None,
) -> None:
    """Create the topics that are missing and verify every setting of all of them."""
    from contract.topics import TOPICS
    from demo.commands.topics import delete_up_to as delete
    from demo.commands.topics import ensure_topics

    if delete_up_to is not None:
        deleted = delete(_settings().bootstrap_servers, delete_up_to)
        typer.echo(f"Deleted from nest-logs: {deleted:,} records, up to {delete_up_to}.")
        return
    created = ensure_topics(_settings().bootstrap_servers)
    for topic in TOPICS:
        typer.echo(f"{topic.name}: {'created' if topic.name in created else 'verified'}")


@app.command()
def produce(messages: Messages = None, start: Start = None) -> None:
    """Simulate the homes: the history first, then live until Ctrl-C."""
    from producer.produce import produce as run_producer

    run_producer(_settings(), messages=messages, start=_in_utc(start))


@app.command()
def pipeline(
    once: Annotated[
        bool, typer.Option("--once", help="Process what is in nest-logs now, then exit.")
    ] = False,
    rebuild_counts: Annotated[
        bool,
        typer.Option(
            "--rebuild-counts",
            help="Delete the counts and exit: the next start counts from the first message.",
        ),
    ] = False,
    force: Annotated[
        bool,
        typer.Option("--force", help="Delete also counts whose messages are gone from Kafka."),
    ] = False,
) -> None:
    """Run the Spark application: stats, archive, sightings, camera_status and alerts."""
    from demo.stack.device_locations import ensure_device_locations
    from pipeline import app as application

    settings = ensure_device_locations(_settings())
    if rebuild_counts:
        application.reset_counts(settings, force=force)
        typer.echo("The counts are deleted. `nest pipeline` counts from the first message.")
    else:
        application.run_pipeline(settings, once=once)


@app.command()
def repair(
    query: Annotated[Query, typer.Argument(help="Whose checkpoint is torn, old or gone.")],
    force: Annotated[
        bool,
        typer.Option("--force", help="Also where messages are gone from Kafka."),
    ] = False,
    new_tables: Annotated[
        bool,
        typer.Option("--new-tables", help="archive: set its tables aside, and write them anew."),
    ] = False,
) -> None:
    """Make a query's checkpoint anew from what is in Kafka and in the tables.

    archive: writes what the tables lack, and goes on after it. stats: deletes the counts and the
    sightings, to count from the first message. sightings: empties nest-sightings, to fill it anew.
    camera_status: deletes the table camera_status, to build it anew from the table camera, and
    repairs alerts, too. alerts: begins anew with the cameras as they are then, and tells what is
    not as the alerts so far have said.
    """
    from demo.stack.device_locations import with_device_locations
    from pipeline import app as application

    settings = with_device_locations(_settings())
    if query is Query.STATS:
        application.reset_counts(settings, force=force)
        typer.echo("The counts are deleted. `nest pipeline` counts from the first message.")
        return
    if query is Query.SIGHTINGS:
        application.reset_sightings(settings)
        typer.echo("nest-sightings is empty. `nest pipeline` fills it from the first message.")
        return
    if query is Query.CAMERA_STATUS:
        application.reset_camera_status(settings)
        typer.echo("The table camera_status is deleted. `nest pipeline` builds it anew.")
        return
    if query is Query.ALERTS:
        application.reset_alerts(settings)
        typer.echo("`nest pipeline` begins with what is not as the alerts so far have said.")
        return
    written = application.repair(settings, new_tables=new_tables, force=force)
    typer.echo(
        f"Written because they were missing: {written.cameras:,} rows of camera, "
        f"{written.rejections:,} of quarantine. `nest pipeline` goes on from here."
    )


@app.command()
def maintain(
    retention: Annotated[
        str | None,
        typer.Option(help="How long old versions are kept, this once."),
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Allow a --retention of less than a day.")
    ] = False,
) -> None:
    """Compact the Delta tables, delete what old versions no longer need, clean their logs."""
    from demo.commands.maintain import as_table, retention_hours
    from pipeline.maintenance.command import maintain as maintain_tables

    maintained = maintain_tables(_settings(), retention_hours(retention, force))
    _console().print(as_table(maintained))
    raise typer.Exit(1 if any(each.failure for each in maintained) else 0)


@app.command()
def history(
    table: Table,
    count: Annotated[int, typer.Option("-n", min=1, max=1000, help="How many versions.")] = 20,
    format: Annotated[CheckFormat, typer.Option(help="How to print it.")] = CheckFormat.TABLE,  # noqa: A002
) -> None:
    """Print a Delta table's versions: when, by which operation, how many rows and files."""
    from demo.commands.history import as_json, as_table, read_history

    commits = read_history(_settings(), table, count)
    if format is CheckFormat.JSON:
        typer.echo(as_json(commits))
    else:
        _console().print(as_table(table, commits))


@app.command()
def restore(
    table: Table,
    version: Annotated[int, typer.Option(min=0, help="See `nest history`.")],
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
) -> None:
    """Roll a Delta table back to a version. The pipeline must not run."""
    from demo.commands.restore import restore as restore_table

    restore_table(_settings(), table, version, lambda text: yes or typer.confirm(text), typer.echo)


@app.command()
def backfill(
    since: Annotated[str, typer.Option("--from", help="First hour, such as 2026-11-20T10:00.")],
    until: Annotated[str, typer.Option("--to", help="End of the last hour; UTC by default.")],
    apply: Annotated[
        bool, typer.Option("--apply", help="Write the recount to nest-camera-stats.")
    ] = False,
    force: Annotated[
        bool, typer.Option("--force", help="Apply it also where homes were forgotten.")
    ] = False,
) -> None:
    """Recount past hours from the archive, and compare or correct the topic's counts."""
    from demo.commands.backfill import backfill as recount

    is_right = recount(_settings(), _console(), since=since, until=until, apply=apply, force=force)
    raise typer.Exit(0 if is_right else 1)


@app.command()
def forget(
    structure: Annotated[
        str | None, typer.Option(help="structure_id of the home to forget.")
    ] = None,
    device: Annotated[str | None, typer.Option(help="device_id of the camera to forget.")] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
) -> None:
    """Delete everything of one home or camera from the lake. The pipeline must not run."""
    from demo.commands.forget import forget as forget_home

    forget_home(_settings(), structure, device, lambda text: yes or typer.confirm(text), typer.echo)


@app.command()
def dashboard(port: Port = None) -> None:
    """Serve the dashboard until Ctrl-C."""
    from dashboard.serve import dashboard_command
    from demo.stack.device_locations import with_device_locations

    settings = with_device_locations(_settings())
    os.environ["NEST_DEVICE_LOCATIONS"] = settings.device_locations
    port = port or settings.dashboard_port
    typer.echo(f"Dashboard: http://localhost:{port}")
    command = dashboard_command(port, settings.bind_address, settings.dashboard_hosts)
    os.execv(command[0], command)  # noqa: S606 - the command takes this process's place


@app.command()
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
) -> None:
    """Print the zip codes and hours with the most people seen."""
    from contract.counts import report as make_report
    from demo.commands.report import as_csv, as_json, as_table, counts_as_of, read_counts

    settings = _settings()
    threshold = settings.threshold if threshold is None else threshold
    if as_of is not None:
        rows = make_report(counts_as_of(settings, as_of), threshold)
    else:
        counts = read_counts(settings.bootstrap_servers)
        rows = make_report(counts.by_key, threshold)
        for line in counts.unreadable:
            typer.echo(f"Not a count in nest-camera-stats: {line}", err=True)
    if format is ReportFormat.TABLE:
        _console().print(as_table(rows, threshold))
    else:
        typer.echo(as_json(rows) if format is ReportFormat.JSON else as_csv(rows))


@app.command()
def check(
    format: Annotated[CheckFormat, typer.Option(help="How to print it.")] = CheckFormat.TABLE,  # noqa: A002
    progress: Annotated[
        bool,
        typer.Option(
            "--progress",
            help="With json: print records done and in total to standard error, as JSON lines.",
        ),
    ] = False,
) -> None:
    """Recount everything in Kafka and compare the lake and the counts with it."""
    import json

    from check import run_check
    from demo.commands.check import show_check, wait_for_first_batches
    from demo.stack.device_locations import with_device_locations

    def print_progress(done: int, total: int) -> None:
        typer.echo(json.dumps({"done": done, "total": total}), err=True)

    settings = with_device_locations(_settings())
    if format is CheckFormat.JSON:
        wait_for_first_batches(settings, lambda line: typer.echo(line, err=True))
        verdict = run_check(settings, print_progress if progress else None)
        typer.echo(json.dumps(verdict.as_json(), indent=2))
    else:
        verdict = show_check(settings, _console())
    raise typer.Exit(0 if verdict.holds else 1)


@app.command()
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

    servers = _settings().bootstrap_servers
    for record in follow(servers, topic, since.value, count, print_waiting):
        typer.secho(heading(record), fg="cyan")
        typer.echo(body(record, pretty))


@app.command()
def example(
    name: Annotated[str | None, typer.Argument(help="Which one to run; none lists them.")] = None,
) -> None:
    """List the examples, or run one on a Kafka and in a folder of its own."""
    from demo.commands.example import as_table, run_example
    from examples.registry import find_example

    if name is None:
        _console().print(as_table())
    else:
        run_example(_settings(), find_example(name), _console())


@app.command()
def drill(
    name: Annotated[str, typer.Argument(help="Which one to run; `list` lists them.")] = "list",
    in_docker: Annotated[
        bool,
        typer.Option("--in-docker", help="The demo is this container's Compose project."),
    ] = False,
) -> None:
    """Break the running demo in one way, watch it come back, and check every number."""
    from demo.commands.drill import as_table
    from demo.drills.registry import DRILLS, find_drill
    from demo.drills.run_drill import run_drill
    from demo.stack.device_locations import with_device_locations

    if name == "list":
        _console().print(as_table(DRILLS.values()))
        return
    found = find_drill(name)
    settings = with_device_locations(_settings())
    verdict = run_drill(settings, found, _console(), in_docker=in_docker)
    raise typer.Exit(0 if verdict.holds else 1)


@app.command()
def storm(
    rounds: Annotated[int, typer.Option(min=1, help="How many rounds.")] = 5,
    seed: Seed = None,
    out: Annotated[Path | None, typer.Option(help="Append each round to it, as JSON.")] = None,
) -> None:
    """Let a demo of its own go through random kills, dirt and maintenance, with checks between."""
    from demo.commands.storm import run_storm

    raise typer.Exit(0 if run_storm(_settings(seed=seed), rounds, _console(), out) else 1)


@app.command()
def send(
    device: Annotated[
        str | None, typer.Option(help="Camera that saw it; by default the first one known.")
    ] = None,
    person: Annotated[
        bool | None,
        typer.Option("--person/--no-person", help="Whether it was a person; by default it was."),
    ] = None,
    at: Annotated[
        str | None, typer.Option(help="When it began: ISO 8601 in UTC, or now, the default.")
    ] = None,
    file: Annotated[
        str | None,
        typer.Option(help="JSON of a Nest document or of one camera; - is standard input."),
    ] = None,
    wait: Annotated[
        bool, typer.Option("--wait/--no-wait", help="Wait for its row and its count.")
    ] = True,
) -> None:
    """Send one event, and see its partition and offset, its row and its count as they come.

    In a terminal it asks what the options leave open. Without options, JSON may be pasted there, or
    come on standard input.
    """
    from demo.commands.send import send_event, watch
    from demo.event_input import read_event
    from demo.stack.device_locations import with_device_locations

    settings = with_device_locations(_settings())
    event = read_event(settings, device, person, at, file)
    sent = send_event(settings, event, typer.echo)
    if wait:
        watch(settings, sent, typer.echo)


@app.command()
def doctor() -> None:
    """Examine whether this machine can run the demo, and print what to do where it cannot."""
    from demo.commands.doctor import Severity, as_table, examine

    findings = examine(_settings())
    _console().print(as_table(findings))
    raise typer.Exit(1 if any(each.severity is Severity.PROBLEM for each in findings) else 0)


@app.command()
def ready(
    within: Annotated[float, typer.Option(min=0, help="Seconds to wait at most.")] = 10.0,
) -> None:
    """Exit with 0 once everything that is in nest-logs now has been counted, and all queries run.

    Otherwise say which query is behind, stuck, restarting or stopped.
    """
    from demo.commands.ready import require_ready

    lines = require_ready(_settings(), within)
    typer.echo("The counts are up to date.")
    for line in lines:
        typer.echo(line)


@app.command()
def reset(
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    everything: Annotated[bool, typer.Option("--all", help="Remove the jars, too.")] = False,
) -> None:
    """Remove what runs left behind: topics, lake, checkpoints and logs."""
    from demo.commands.reset import find_leftovers, remove
    from demo.stack.disk_usage import format_bytes

    found = find_leftovers(_settings(), everything)
    if not found:
        typer.echo("There is nothing to remove.")
        return
    for path, size in found.items():
        typer.echo(f"{format_bytes(size):>10}  {path}")
    if not yes and not typer.confirm("Remove all of this?"):
        raise typer.Exit(1)
    remove(list(found))


@app.command()
def jars() -> None:
    """Fetch the jars that Spark and the embedded Kafka need, and verify their checksums."""
    from rich.progress import Progress

    from demo.stack.jars.resolve import fetch_jars

    state = _settings().state
    with Progress(console=_console()) as bar:
        task = bar.add_task("Fetching the jars", total=None)
        new = fetch_jars(state, lambda done, total: bar.update(task, completed=done, total=total))
        bar.update(task, visible=new)
    typer.echo(f"All jars in {state / 'jars'} are verified.")


@app.command("device-locations")
def device_locations(
    path: Annotated[Path, typer.Argument(help="The CSV file to write.")],
    seed: Seed = None,
    homes: Homes = None,
) -> None:
    """Write the table of a simulation's cameras and their zip codes."""
    from producer.device_locations import write_device_locations

    settings = _settings(seed=seed, homes=homes)
    write_device_locations(path, settings.seed, settings.homes)
    typer.echo(f"{path}: the cameras of {settings.homes:,} homes, seed {settings.seed}")


@app.command()
def settings() -> None:
    """Print every setting with its default, as docs/settings.md has them."""
    from demo.commands.settings import as_markdown

    typer.echo(as_markdown(), nl=False)


def _settings(**options: int | None) -> "Settings":
    """Return the settings of the environment, overridden by the options that were given."""
    from contract.settings import load_settings

    given = {name: value for name, value in options.items() if value is not None}
    return load_settings().model_copy(update=given)


def _console() -> "Console":
    from rich.console import Console

    return Console()


def _in_utc(moment: datetime | None) -> datetime | None:
    return moment if moment is None or moment.tzinfo else moment.replace(tzinfo=UTC)


def _sentence(error: UserError | OSError) -> str:
    """Return what was wrong; for a file that cannot be used, which one and who decides where."""
    if isinstance(error, OSError) and error.filename is not None:
        return (
            f"{error.filename}: {error.strerror}. NEST_STATE says where the demo keeps its files, "
            "NEST_LAKE and NEST_CHECKPOINTS where the pipeline does."
        )
    return str(error)


def main() -> None:
    """Run the command line; an error that a user can mend is printed without a traceback."""
    try:
        app()
    except (UserError, OSError) as error:
        typer.secho(_sentence(error), fg="red", err=True)
        if hint := calling_hint(str(error)):
            typer.echo(hint, err=True)
        raise SystemExit(error.exit_code if isinstance(error, UserError) else 1) from None


if __name__ == "__main__":
    main()
