"""Fetch and write what the demo needs before it runs."""

from pathlib import Path
from typing import Annotated

import typer

from demo.cli.app import PREPARE, app, new_console, settings_with
from demo.cli.options import Homes, Seed


@app.command(rich_help_panel=PREPARE)
def jars() -> None:
    """Fetch the jars that Spark and the embedded Kafka need, and verify their checksums."""
    from rich.progress import Progress

    from demo.stack.jars.resolve import fetch_jars

    state = settings_with().state
    with Progress(console=new_console()) as bar:
        task = bar.add_task("Fetching the jars", total=None)
        new = fetch_jars(state, lambda done, total: bar.update(task, completed=done, total=total))
        bar.update(task, visible=new)
    typer.echo(f"All jars in {state / 'jars'} are verified.")


@app.command("device-locations", rich_help_panel=PREPARE)
def device_locations(
    path: Annotated[Path, typer.Argument(help="The CSV file to write.")],
    seed: Seed = None,
    homes: Homes = None,
) -> None:
    """Write the table of a simulation's cameras and their zip codes."""
    from producer.device_locations import write_device_locations

    settings = settings_with(seed=seed, homes=homes)
    write_device_locations(path, settings.seed, settings.homes)
    typer.echo(f"{path}: the cameras of {settings.homes:,} homes, seed {settings.seed}")
