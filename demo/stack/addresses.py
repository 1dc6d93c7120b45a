"""Where the demo that `nest up` runs is reached, kept in a file for commands in other terminals."""

import json
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from contract.errors import UserError
from contract.kafka.users import OPERATOR
from contract.settings import Settings
from demo.stack.security.credentials import as_user

_FIELDS = ("bootstrap_servers", "kafka_secure", "spark_ui_port", "dashboard_port")


def keep_addresses(settings: Settings) -> None:
    """Keep the addresses that a demo has found free."""
    values = settings.model_dump(mode="json", include=set(_FIELDS))
    _file(settings).write_text(json.dumps(values))


def forget_addresses(settings: Settings) -> None:
    """Remove the addresses of an earlier demo."""
    _file(settings).unlink(missing_ok=True)


def with_kept_addresses(settings: Settings) -> Settings:
    """Return the settings with the addresses of the demo that runs in their state's folder.

    If its Kafka is secured, they are the operator's. Raises UserError if no demo has kept any.
    """
    kept = _read(settings)
    if not kept:
        raise no_demo()
    return as_user(settings.model_copy(update=kept), OPERATOR)


def with_running_demo(settings: Settings) -> Settings:
    """Return the settings for a command beside the demo that runs in their state's folder.

    What somebody has set stays. Where NEST_BOOTSTRAP_SERVERS is set, or no demo runs, all does.
    """
    if "bootstrap_servers" in settings.model_fields_set or not _is_running(settings):
        return settings
    kept = _read(settings)
    unset = {name: kept[name] for name in kept.keys() - settings.model_fields_set}
    return settings.model_copy(update=unset)


def no_demo() -> UserError:
    """Say that there is no demo, and what to do."""
    return UserError("No demo is running here. Start it with `nest up`, then try again.")


def _is_running(settings: Settings) -> bool:
    if not find_spec("psutil"):  # an installation that cannot run a demo
        return False
    from demo.stack.run_lock import RunLock

    return "nest up" in RunLock(settings.state / "up.json", "nest up").alive()


def _read(settings: Settings) -> dict[str, Any]:
    """Return the addresses that were kept; none where no demo has kept any."""
    try:
        kept = json.loads(_file(settings).read_text())
    except (FileNotFoundError, ValueError):
        return {}
    return {name: kept[name] for name in _FIELDS if name in kept}


def _file(settings: Settings) -> Path:
    return settings.state / "addresses.json"
