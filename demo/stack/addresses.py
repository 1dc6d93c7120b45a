"""Where the demo that `nest up` runs is reached, kept in a file for commands in other terminals."""

import json

from contract.kafka.users import OPERATOR
from contract.settings import Settings
from demo.stack.security.credentials import as_user

_FIELDS = ("bootstrap_servers", "kafka_secure", "spark_ui_port", "dashboard_port")


def keep_addresses(settings: Settings) -> None:
    """Keep the addresses that a demo has found free."""
    values = settings.model_dump(mode="json", include=set(_FIELDS))
    (settings.state / "addresses.json").write_text(json.dumps(values))


def with_kept_addresses(settings: Settings) -> Settings:
    """Return the settings with the addresses of the demo that runs in their state's folder.

    If its Kafka is secured, they are the operator's.
    """
    try:
        kept = json.loads((settings.state / "addresses.json").read_text())
    except (FileNotFoundError, ValueError):
        return settings
    update = {name: kept[name] for name in _FIELDS if name in kept}
    return as_user(settings.model_copy(update=update), OPERATOR)
