"""The `nest` command line, and what its commands share.

Each command imports its room when it runs, so that all of them start fast.
"""

from typing import TYPE_CHECKING, Any

import typer
from typer.core import TyperGroup

from contract.kafka.acls import OPERATOR

if TYPE_CHECKING:
    from collections.abc import Callable

    from rich.console import Console

    from contract.settings import Settings

RUN = "Run the demo, or a part of it"
READ = "Look at it, and prove it"
MEND = "Mend it"
TRY = "Try what happens"
PREPARE = "Prepare it"


class _PlainErrors(TyperGroup):
    """Commands whose usage errors are for people: Typer lets Pydantic name Python's error first."""

    def invoke(self, ctx: typer.Context) -> Any:  # type: ignore[override]
        """Run the command; an error in its options says only what is wrong."""
        try:
            return super().invoke(ctx)
        except typer.BadParameter as error:
            error.message = error.message.removeprefix("Value error, ")
            raise


app = typer.Typer(
    cls=_PlainErrors,
    help="Streaming analytics of simulated Nest cameras on real Kafka, Spark and Delta Lake.",
    epilog="docs/features.md lists each feature with its command. The labs: make labs.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)


@app.callback()
def name_misnamed_settings(context: typer.Context) -> None:
    """Name, on standard error, each variable that begins as a setting and is none.

    Whatever the command, it is said once, before that begins. The doctor has a finding of its own.
    """
    from contract.settings import misnamed_settings

    if context.invoked_subcommand == "doctor":
        return
    for name, meant in misnamed_settings().items():
        hint = f" Did you mean {meant}?" if meant else ""
        typer.echo(f"{name}: no setting has that name, so it has no effect.{hint}", err=True)


def settings_with(user: str | None = OPERATOR, **options: int | None) -> "Settings":
    """Return the settings of the environment, overridden by the options that were given.

    They lead to the Kafka that `nest up` or `nest broker` runs here, unless NEST_BOOTSTRAP_SERVERS
    names one. If it has users, the settings are those of one of its ``user``s, unless
    NEST_KAFKA_USER names one. None as user is for a command that needs no Kafka, or that starts one
    itself.
    """
    from contract.settings import load_settings
    from demo.stack.addresses import uses_default_kafka, with_running_kafka
    from demo.stack.ports import KAFKA_PORT, is_open
    from demo.stack.security.credentials import as_user

    given = {name: value for name, value in options.items() if value is not None}
    settings = load_settings().model_copy(update=given)
    if settings.object_store:
        settings.object_store.use_in_this_process()
    if user is None:
        return settings
    settings = with_running_kafka(settings)
    if uses_default_kafka(settings) and is_open(KAFKA_PORT):
        where = settings.bootstrap_servers
        typer.echo(f"The Kafka at {where} was not started from this folder.", err=True)
    return settings if settings.kafka_user else as_user(settings, user)


def new_console() -> "Console":
    """Return a console on standard output, which prints a text as it is, whoever wrote it."""
    from rich.console import Console

    return Console(markup=False, emoji=False, highlight=False)


def confirm_unless(yes: bool) -> "Callable[[str], None]":
    """Return what asks the person at the terminal a question, unless they have said ``--yes``.

    It ends the command, with 1, where the answer is no.
    """

    def confirm(question: str) -> None:
        if not yes and not typer.confirm(question):
            typer.echo("Nothing was changed.", err=True)
            raise typer.Exit(1)

    return confirm
