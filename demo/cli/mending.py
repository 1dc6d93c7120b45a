"""Mend counts, tables and checkpoints, and remove what is not wanted."""

from datetime import datetime
from typing import Annotated

import typer

from contract.errors import UserError
from contract.queries import Query
from demo.cli.app import MEND, app, confirm_unless, new_console, settings_with
from demo.cli.options import Table, Yes, parse_time

_FROM_NEST_LOGS = (Query.ARCHIVE, Query.STATS, Query.SIGHTINGS)
_FORCED = f"{', '.join(_FROM_NEST_LOGS[:-1])} and {_FROM_NEST_LOGS[-1]}"


@app.command(rich_help_panel=MEND)
def repair(
    query: Annotated[Query, typer.Argument(help="Whose checkpoint is torn, old or gone.")],
    force: Annotated[
        bool,
        typer.Option("--force", help=f"{_FORCED}: repair also where messages are gone from Kafka."),
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
    repairs alerts, too. alerts: deletes its checkpoint; the next start sends an alert for each
    camera whose state differs from its last alert.
    """
    from demo.commands.spark_start import announce_spark
    from demo.stack.addresses import require_named_kafka
    from demo.stack.device_locations import with_device_locations
    from pipeline.commands import repair as repairs

    if new_tables and query is not Query.ARCHIVE:
        raise UserError(f"--new-tables is for archive alone, and not for {query}.")
    if force and query not in _FROM_NEST_LOGS:
        raise UserError(f"--force is for {_FORCED} alone, and not for {query}.")
    if force and query is Query.ARCHIVE and not new_tables:
        raise UserError(
            "--force is for `nest repair archive --new-tables`: without that no row is lost."
        )
    settings = with_device_locations(settings_with())
    require_named_kafka(settings)
    announce_spark()
    match query:
        case Query.ARCHIVE:
            done = repairs.repair_archive(settings, new_tables=new_tables, force=force)
        case Query.STATS:
            done = repairs.repair_counts(settings, force=force)
        case Query.SIGHTINGS:
            done = repairs.repair_sightings(settings, force=force)
        case Query.CAMERA_STATUS:
            done = repairs.repair_camera_status(settings)
        case Query.ALERTS:
            done = repairs.repair_alerts(settings)
    typer.echo(done)


@app.command(rich_help_panel=MEND)
def maintain(
    retention: Annotated[
        str | None,
        typer.Option(help="How long old versions are kept, this once, such as '6 hours'."),
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Allow a --retention of less than a day.")
    ] = False,
) -> None:
    """Compact the Delta tables, delete what old versions no longer need, clean their logs."""
    from demo.commands.maintain import maintenance_table, retention_hours
    from demo.commands.spark_start import announce_spark
    from pipeline.maintenance.command import maintain as maintain_tables
    from pipeline.single_writer.lock import are_checkpoints_locked

    settings, hours = settings_with(None), retention_hours(retention, force)
    if not are_checkpoints_locked(settings):  # otherwise the running pipeline does it
        announce_spark()
    maintained = maintain_tables(settings, hours)
    new_console().print(maintenance_table(maintained))
    raise typer.Exit(1 if any(each.failure for each in maintained) else 0)


@app.command(rich_help_panel=MEND)
def restore(
    table: Table,
    version: Annotated[int, typer.Option(min=0, help="See `nest history`.")],
    yes: Yes = False,
) -> None:
    """Roll a Delta table back to a version. The pipeline must not run."""
    from demo.commands.restore import restore as restore_table

    restore_table(settings_with(None), table, version, confirm_unless(yes), typer.echo)


@app.command(rich_help_panel=MEND)
def backfill(
    since: Annotated[
        datetime,
        typer.Option(
            "--from",
            parser=parse_time,
            metavar="TIME",
            help="First hour, such as 2026-11-20T10:00; in UTC unless it has an offset.",
        ),
    ],
    until: Annotated[
        datetime,
        typer.Option("--to", parser=parse_time, metavar="TIME", help="End of the last hour."),
    ],
    apply: Annotated[
        bool, typer.Option("--apply", help="Write the recount to nest-camera-stats.")
    ] = False,
    force: Annotated[
        bool,
        typer.Option(
            "--force",
            help="Apply it also where homes were forgotten, or where counts would become lower and "
            "messages are gone from Kafka.",
        ),
    ] = False,
) -> None:
    """Recount past hours from the archive, and compare or correct the topic's counts."""
    from demo.commands.backfill import backfill as recount

    is_right = recount(
        settings_with(), new_console(), since=since, until=until, apply=apply, force=force
    )
    raise typer.Exit(0 if is_right else 1)


@app.command(rich_help_panel=MEND)
def forget(
    structure: Annotated[
        str | None, typer.Option(help="structure_id of the home to forget.")
    ] = None,
    device: Annotated[str | None, typer.Option(help="device_id of the camera to forget.")] = None,
    yes: Yes = False,
) -> None:
    """Delete everything of one home or camera from the lake (GDPR). The pipeline must not run."""
    from demo.commands.forget import forget as forget_home
    from demo.stack.device_locations import with_device_locations

    settings = with_device_locations(settings_with())
    forget_home(settings, structure, device, confirm_unless(yes), typer.echo)


@app.command(rich_help_panel=MEND)
def reset(
    yes: Yes = False,
    everything: Annotated[bool, typer.Option("--all", help="Remove the jars, too.")] = False,
) -> None:
    """Remove what runs left behind: topics, lake, checkpoints and logs."""
    from demo.commands.reset import find_leftovers, leftovers_lines, remove, require_nothing_runs

    settings = settings_with(None)
    found = find_leftovers(settings, everything)
    if not found:
        typer.echo("There is nothing to remove.")
        return
    for line in leftovers_lines(found):
        typer.echo(line)
    if not everything:
        typer.echo("The jars stay; --all removes them, too.")
    confirm_unless(yes)("Remove all of this?")
    require_nothing_runs(settings)  # the question may have waited for long
    remove(list(found))
