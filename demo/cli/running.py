"""Run the demo, or one part of it."""

import os
from pathlib import Path
from typing import Annotated

import typer

from contract.errors import UserError
from contract.kafka.acls import DASHBOARD, PIPELINE, PRODUCER
from contract.queries import Query
from demo.cli.app import RUN, app, confirm_unless, new_console, settings_with
from demo.cli.options import Homes, Messages, Port, Secure, Seed, Start


@app.command(rich_help_panel=RUN)
def up(secure: Secure = None) -> None:
    """Run the whole demo, live, until Ctrl-C."""
    from demo.commands.up import up as run_up

    run_up(settings_with(None, kafka_secure=secure), new_console())


@app.command(rich_help_panel=RUN)
def run(
    messages: Annotated[int, typer.Option(min=1, help="How many messages to produce.")] = 20_000,
    seed: Seed = None,
    homes: Homes = None,
    start: Start = None,
    secure: Secure = None,
) -> None:
    """Run the whole chain once, in a folder of its own, and check the result."""
    from demo.commands.run import run as run_chain

    settings = settings_with(None, seed=seed, homes=homes, kafka_secure=secure)
    verdict = run_chain(settings, messages, start, new_console())
    raise typer.Exit(0 if verdict.holds else 1)


@app.command(rich_help_panel=RUN)
def broker(
    port: Port = None,
    data: Annotated[Path | None, typer.Option(help="Folder of Kafka's log.")] = None,
    secure: Secure = None,
) -> None:
    """Run the embedded Kafka until Ctrl-C."""
    from demo.commands.broker import run_broker

    run_broker(settings_with(None, kafka_secure=secure), port, data, new_console())


@app.command(rich_help_panel=RUN)
def topics(
    delete_up_to: Annotated[
        str | None,
        typer.Option(
            metavar="PARTITION:OFFSET",
            help="Delete the records of nest-logs up to one that Spark cannot read.",
        ),
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask before that.")] = False,
) -> None:
    """Create the topics that are missing and verify every setting of all of them."""
    from contract.quantities import format_quantity
    from contract.topic_admin import wanted_topics
    from contract.topics import TOPICS
    from demo.commands.delete_records import delete_records_up_to
    from demo.stack.topics import ensure_topics

    if delete_up_to is not None:
        deleted = delete_records_up_to(settings_with().kafka, delete_up_to, confirm_unless(yes))
        records = format_quantity(deleted, "record")
        typer.echo(f"Deleted from nest-logs: {records}, up to {delete_up_to}.")
        return
    settings = settings_with()
    created = ensure_topics(settings.kafka, wanted_topics(settings))
    for topic in TOPICS:
        typer.echo(f"{topic.name}: {'created' if topic.name in created else 'verified'}")


@app.command(rich_help_panel=RUN)
def produce(messages: Messages = None, start: Start = None) -> None:
    """Simulate the homes: the history first, then live until Ctrl-C."""
    from producer.produce import produce as run_producer

    run_producer(settings_with(PRODUCER), messages=messages, start=start)


@app.command(rich_help_panel=RUN)
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
        typer.Option(
            "--force",
            help="--rebuild-counts: delete also counts whose messages are gone from Kafka.",
        ),
    ] = False,
) -> None:
    """Run the Spark application: stats, archive, sightings, camera_status and alerts."""
    from demo.cli.mending import repair
    from demo.stack.device_locations import ensure_device_locations

    if force and not rebuild_counts:
        raise UserError("--force is for --rebuild-counts alone.")
    if rebuild_counts:
        repair(Query.STATS, force=force)
        return

    from pipeline.app import run_pipeline

    run_pipeline(ensure_device_locations(settings_with(PIPELINE)), once=once)


@app.command(rich_help_panel=RUN)
def dashboard(port: Port = None) -> None:
    """Serve the dashboard until Ctrl-C."""
    from demo.stack.dashboard_argv import dashboard_argv
    from demo.stack.device_locations import with_device_locations
    from demo.stack.environment import environment
    from demo.stack.ports import free_port, is_free, require_own_address, web_address

    settings = with_device_locations(settings_with(DASHBOARD))
    require_own_address(settings.bind_address)
    os.environ |= environment(settings)
    if port and not is_free(port, settings.bind_address):
        raise UserError(f"Port {port} is taken: give another --port, or none to take a free one.")
    port = port or free_port(settings.dashboard_port, settings.bind_address)
    typer.echo(f"Dashboard: {web_address(port, settings.bind_address)}")
    command = dashboard_argv(settings, port)
    os.execv(command[0], command)  # noqa: S606 - the command takes this process's place


@app.command(rich_help_panel=RUN)
def metrics(port: Port = None) -> None:
    """Serve metrics for Prometheus until Ctrl-C, whether a pipeline runs or not."""
    from demo.commands.metrics import serve_metrics

    settings = settings_with(DASHBOARD, metrics_port=port)
    serve_metrics(settings, settings.metrics_port, new_console())


@app.command(rich_help_panel=RUN)
def ready(
    within: Annotated[float, typer.Option(min=0, help="Seconds to wait at most.")] = 10.0,
) -> None:
    """Exit with 0 once all that is in nest-logs now has been counted, and no query is in trouble.

    The archive and the other queries may be behind. Otherwise say which query is behind, silent,
    restarting or stopped.
    """
    from demo.health.ready import require_ready

    lines = require_ready(settings_with(), within)
    typer.echo("The counts are up to date.")
    for line in lines:
        typer.echo(line)
