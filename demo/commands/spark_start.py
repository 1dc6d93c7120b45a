"""What a command says before it starts Spark."""

import typer


def announce_spark() -> None:
    """Say on standard error that Spark starts: the next line comes ten seconds later, or more."""
    typer.echo("Spark starts; this takes some seconds.", err=True)
