"""Try what happens: one event, one fault, or a storm of them."""

from pathlib import Path
from typing import Annotated

import typer

from demo.cli.app import TRY, app, new_console, settings_with


@app.command(rich_help_panel=TRY)
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
    """Send one event, and see its offset, its row and its count come: a console producer.

    In a terminal it asks what the options leave open. Without options, JSON may be pasted there, or
    come on standard input.
    """
    from demo.commands.send import send_event, watch
    from demo.events.event_input import read_event
    from demo.stack.device_locations import with_device_locations

    settings = with_device_locations(settings_with())
    event = read_event(settings, device, person, at, file)
    sent = send_event(settings, event, typer.echo)
    if wait:
        watch(settings, sent, typer.echo)


@app.command(rich_help_panel=TRY)
def drill(
    name: Annotated[str, typer.Argument(help="Which one to run; `list` lists them.")] = "list",
    in_docker: Annotated[
        bool,
        typer.Option("--in-docker", help="The demo is this container's Compose project."),
    ] = False,
) -> None:
    """Break the running demo in one way, watch it come back, and check every number."""
    from demo.drills.registry import drills_table, find_drill
    from demo.drills.run_drill import run_drill
    from demo.stack.device_locations import with_device_locations

    if name == "list":
        new_console().print(drills_table())
        return
    found = find_drill(name)
    settings = with_device_locations(settings_with())
    verdict = run_drill(settings, found, new_console(), in_docker=in_docker)
    raise typer.Exit(0 if verdict.holds else 1)


@app.command(rich_help_panel=TRY)
def storm(
    rounds: Annotated[int, typer.Option(min=1, help="How many rounds.")] = 5,
    first: Annotated[int, typer.Option(min=1, help="Number of the first round.")] = 1,
    seed: Annotated[
        int | None,
        typer.Option(help="Seed of the simulation and of the faults; NEST_SEED by default."),
    ] = None,
    out: Annotated[Path | None, typer.Option(help="Append each round to it, as JSON.")] = None,
) -> None:
    """Let a demo of its own go through random kills, dirt and maintenance, with checks between."""
    from demo.commands.storm import run_storm

    numbers, settings = range(first, first + rounds), settings_with(None, seed=seed)
    raise typer.Exit(0 if run_storm(settings, numbers, new_console(), out) else 1)
