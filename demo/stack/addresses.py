"""Where `nest up` or `nest broker` is reached, kept in a file for commands in other terminals."""

import json
from importlib.util import find_spec
from typing import Any, NamedTuple

from contract.atomic_write import write_atomically
from contract.errors import UserError
from contract.kafka.acls import OPERATOR
from contract.settings import Settings
from demo.stack.exclusive_commands import ExclusiveCommand
from demo.stack.security.credentials import as_user


class Addresses(NamedTuple):
    """What a command keeps that runs a Kafka for others."""

    file: str
    """In NEST_STATE."""
    fields: frozenset[str]
    """The settings that are in that file."""


ADDRESSES = {
    ExclusiveCommand.UP: Addresses(
        "addresses.json",
        frozenset({"bootstrap_servers", "kafka_secure", "spark_ui_port", "dashboard_port"}),
    ),
    ExclusiveCommand.BROKER: Addresses(
        "broker-address.json", frozenset({"bootstrap_servers", "kafka_secure"})
    ),
}


def keep_addresses(settings: Settings, command: ExclusiveCommand = ExclusiveCommand.UP) -> None:
    """Keep the addresses that were found free."""
    values = settings.model_dump(mode="json", include=set(ADDRESSES[command].fields))
    write_atomically(settings.state / ADDRESSES[command].file, json.dumps(values))


def forget_addresses(settings: Settings) -> None:
    """Remove the addresses of an earlier demo."""
    (settings.state / ADDRESSES[ExclusiveCommand.UP].file).unlink(missing_ok=True)


def with_kept_addresses(settings: Settings) -> Settings:
    """Return the settings with the addresses of the demo that runs in their state's folder.

    If its Kafka is secured, they are the operator's. Raises UserError if no demo has kept any.
    """
    kept = _read(settings, ExclusiveCommand.UP)
    if not kept:
        raise no_demo()
    return as_user(settings.model_copy(update=kept), OPERATOR)


def with_running_kafka(settings: Settings) -> Settings:
    """Return the settings for a command beside the Kafka that runs in their state's folder.

    What somebody has set stays. Where NEST_BOOTSTRAP_SERVERS is set, or no Kafka of `nest up` or
    `nest broker` runs, all does.
    """
    if "bootstrap_servers" in settings.model_fields_set:
        return settings
    kept = next((_read(settings, each) for each in ADDRESSES if runs_here(settings, each)), {})
    unset = {name: kept[name] for name in kept.keys() - settings.model_fields_set}
    return settings.model_copy(update=unset)


def uses_default_kafka(settings: Settings) -> bool:
    """Tell whether nobody has named the Kafka and none runs in this folder: it may be anybody's.

    The settings are those of ``with_running_kafka``.
    """
    return "bootstrap_servers" not in settings.model_fields_set


def require_named_kafka(settings: Settings) -> None:
    """Raise UserError for a command that deletes where the Kafka may be anybody's."""
    if uses_default_kafka(settings):
        raise UserError(
            "Neither `nest up` nor `nest broker` runs in this folder, and nothing is deleted in a "
            "Kafka that may be another one's. Start `nest broker`, or name yours: "
            f"NEST_BOOTSTRAP_SERVERS={settings.bootstrap_servers}"
        )


def no_demo() -> UserError:
    """Say that there is no demo, and what to do."""
    return UserError("No demo is running here. Start it with `nest up`, then try again.")


def runs_here(settings: Settings, command: ExclusiveCommand) -> bool:
    """Tell whether the command runs in the folder of the settings' state."""
    if not find_spec("psutil"):  # an installation that cannot run a demo
        return False
    from demo.stack.run_lock import RunLock

    return command in RunLock(settings.state, command).alive()


def _read(settings: Settings, command: ExclusiveCommand) -> dict[str, Any]:
    """Return the addresses that were kept; none where no command has kept any."""
    try:
        kept = json.loads((settings.state / ADDRESSES[command].file).read_text())
    except (FileNotFoundError, ValueError):
        return {}
    return {name: kept[name] for name in ADDRESSES[command].fields if name in kept}
