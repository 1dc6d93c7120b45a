"""Fetch and write what the demo needs before it runs."""

from pathlib import Path
from typing import Annotated

import typer

from demo.cli.app import PREPARE, app, new_console, settings_with
from demo.cli.options import Homes, Seed


@app.command(rich_help_panel=PREPARE)
def jars(
    share_classes: Annotated[
        bool,
        typer.Option(
            "--share-classes",
            help="Also keep the classes of Kafka and Spark in files: both start in two thirds of "
            "the time.",
        ),
    ] = False,
    s3a: Annotated[
        bool, typer.Option("--s3a", help="Also those with which Spark reaches an object store.")
    ] = False,
    cluster: Annotated[
        bool,
        typer.Option("--cluster", help="Those of --s3a, and the object store of `nest cluster`."),
    ] = False,
    flink: Annotated[
        bool, typer.Option("--flink", help="Also Flink SQL, for `make bench-peers`: 160 MB.")
    ] = False,
) -> None:
    """Fetch the jars that Spark and the embedded Kafka need, and verify their checksums."""
    from rich.progress import Progress

    from demo.stack.jars.fetch import fetch_jars
    from demo.stack.jars.lock import DEMO, FLINK, S3A, S3PROXY

    state = settings_with(None).state
    with Progress(console=new_console()) as bar:
        task = bar.add_task("Fetching the jars", total=None)
        sets = DEMO + ((S3A,) if s3a or cluster else ()) + ((S3PROXY,) if cluster else ())
        sets += (FLINK,) if flink else ()
        new = fetch_jars(
            state, lambda done, total: bar.update(task, completed=done, total=total), sets
        )
        bar.update(task, visible=new)
    typer.echo(f"All jars in {state / 'jars'} are verified.")
    if share_classes:
        _share_classes()


def _share_classes() -> None:
    """Write the classes of Kafka and of Spark to files, and say where."""
    from demo.stack.share_kafka_classes import share_kafka_classes
    from demo.stack.signals import interruptible_as
    from pipeline.commands.share_spark_classes import share_spark_classes

    for program, share in (("Kafka", share_kafka_classes), ("Spark", share_spark_classes)):
        with (
            interruptible_as(f"Stopped before {program}'s classes were written."),
            new_console().status(f"Writing {program}'s classes; it takes up to a minute"),
        ):
            archive = share(settings_with(None))
        typer.echo(f"{archive} has {program}'s classes. Java uses it at each start.")


def _as_hosts(hosts: list[str] | None) -> list[str] | None:
    from contract.setting_types import check_host_names

    for host in hosts or ():
        try:
            check_host_names(host if "," not in host else "")
        except ValueError:
            raise typer.BadParameter(
                f"{host!r} is not the name or address of one host, in ASCII."
            ) from None
    return hosts


@app.command(rich_help_panel=PREPARE)
def credentials(
    folder: Annotated[Path, typer.Argument(help="A folder for each user is made in it.")],
    host: Annotated[
        list[str] | None,
        typer.Option(help="Name or address under which clients reach Kafka.", callback=_as_hosts),
    ] = None,
) -> None:
    """Make the certificates and passwords of a secured Kafka; those that are there stay."""
    from demo.stack.security.credentials import LOCAL_HOSTS, USERS, Credentials

    hosts = host or LOCAL_HOSTS
    Credentials(folder).make(hosts)
    typer.echo(f"{folder} has the credentials of {', '.join(USERS)}, for {', '.join(hosts)}.")


@app.command(rich_help_panel=PREPARE)
def rights(
    grant: Annotated[
        bool, typer.Option("--grant", help="Give them to the users, as a superuser of Kafka.")
    ] = False,
) -> None:
    """Print the ACLs (rights) of each Kafka user; what is not listed is denied."""
    from demo.commands.rights import rights_table
    from demo.stack.security.credentials import BROKER
    from demo.stack.security.grant import grant_rights

    if grant:
        grant_rights(settings_with(BROKER).kafka)
    new_console().print(rights_table())


@app.command("device-locations", rich_help_panel=PREPARE)
def device_locations(
    path: Annotated[Path, typer.Argument(help="The CSV file to write.")],
    seed: Seed = None,
    homes: Homes = None,
) -> None:
    """Write the table of a simulation's cameras and their zip codes."""
    from demo.stack.signals import interruptible_as
    from producer.device_locations import write_device_locations

    settings = settings_with(None, seed=seed, homes=homes)
    with interruptible_as(f"Stopped: {path} is as it was."):
        write_device_locations(path, settings.seed, settings.homes)
    typer.echo(f"{path}: the cameras of {settings.homes:,} homes, seed {settings.seed}")
