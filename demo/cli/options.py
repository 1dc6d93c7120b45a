"""The options that commands share, and the values that some of them take."""

from datetime import datetime
from enum import StrEnum
from typing import Annotated

import typer

from contract.instants import parse_instant


class ReportFormat(StrEnum):
    """How the report is printed."""

    TABLE = "table"
    JSON = "json"
    CSV = "csv"


class TableFormat(StrEnum):
    """How a table is printed."""

    TABLE = "table"
    JSON = "json"


class Since(StrEnum):
    """Where the read of a topic begins."""

    EARLIEST = "earliest"
    LATEST = "latest"


def parse_time(text: str) -> datetime:
    """Return the instant (UTC) of an option; Typer's error for a bad value if it is no time."""
    try:
        return parse_instant(text)
    except ValueError:
        raise typer.BadParameter(
            f"{text!r} is not a time. Write for example 2026-11-20T10:00; without an offset it is "
            "in UTC."
        ) from None


Secure = Annotated[
    bool | None,
    typer.Option(
        "--secure",
        help="Require TLS and SASL users; NEST_KAFKA_SECURE by default.",
        show_default=False,
    ),
]
Table = Annotated[str, typer.Argument(help="camera, quarantine or camera_status.")]
Messages = Annotated[int | None, typer.Option(min=1, help="Stop after this many messages.")]
Start = Annotated[
    datetime | None,
    typer.Option(
        parser=parse_time,
        metavar="TIME",
        help="First moment of the simulation, such as 2026-11-20T10:00:00; in UTC unless it has "
        "an offset.",
    ),
]
Seed = Annotated[int | None, typer.Option(help="Seed of the simulation; NEST_SEED by default.")]
Homes = Annotated[int | None, typer.Option(min=1, help="Number of homes; NEST_HOMES by default.")]
Port = Annotated[int | None, typer.Option(min=1, max=65535, help="Port to listen on.")]
Yes = Annotated[bool, typer.Option("--yes", help="Do not ask.")]
