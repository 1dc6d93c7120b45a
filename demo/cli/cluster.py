"""Run the demo on a cluster of this machine."""

import typer

from demo.cli.app import RUN, app, new_console, settings_with

cluster = typer.Typer(
    help="Run the demo on a cluster: three Kafka brokers, Spark workers, an object store.",
    no_args_is_help=True,
)
app.add_typer(cluster, name="cluster", rich_help_panel=RUN)


@cluster.command()
def up() -> None:
    """Start the cluster and the whole demo on it, live, until Ctrl-C or `nest cluster down`."""
    from demo.commands.cluster import up as start

    start(settings_with(None), new_console())


@cluster.command()
def down() -> None:
    """Stop the cluster that runs."""
    from demo.commands.cluster import down as stop

    typer.echo(f"Stopped: {', '.join(stop(settings_with(None)))}.")
