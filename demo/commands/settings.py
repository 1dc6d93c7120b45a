"""`nest settings`: the page docs/settings.md, generated from the settings class."""

from typing import Any

from pydantic.fields import FieldInfo

from contract.duration import format_duration
from contract.settings import Settings

_HEAD = """\
# Settings

Every setting is an environment variable. `make docs` writes this page from
`contract/settings.py`, and `nest settings` prints it. A variable `NEST_…` that is no setting has no
effect: each command names it.

A duration is a number and a unit: `90 seconds`, `1 hour 30 minutes`, `2 days`. A fraction is a
number from 0 to 1.

`nest up` chooses the address of its Kafka itself: port 9092 or the next free one, as with the
dashboard's and Spark's. Commands of the same folder find them, so two demos can run side by side.

**In Docker** set them in the shell or in the file `.env`, which nothing but `docker compose` reads.
A container gets those that `docker-compose.yml` names for it. The addresses and folders inside the
containers are fixed there, and `NEST_SIGHTINGS` is `false`.
"""
_TABLE = """
## {heading}

| variable | default | meaning |
| --- | --- | --- |
"""
_HEADINGS = {
    "bootstrap_servers": "Kafka",
    "state": "Folders and files",
    "s3_endpoint": "Object store",
    "partitions": "Topics, when they are created",
    "threshold": "What the numbers mean",
    "spark_master": "Pipeline",
    "maintenance_interval": "Tables",
    "seed": "Simulated homes",
    "bind_address": "Demo",
}
"""What the settings are about, by the first of each kind."""


def settings_page() -> str:
    """Return the page: each setting with its default and what it means."""
    return _HEAD + "".join(
        (_TABLE.format(heading=_HEADINGS[name]) if name in _HEADINGS else "")
        + f"| `NEST_{name.upper()}` | {_default(field)} | {_meaning(field)} |\n"
        for name, field in Settings.model_fields.items()
    )


def _meaning(field: FieldInfo) -> str:
    """Return a field's docstring on one line."""
    return " ".join((field.description or "").split())


def _default(field: FieldInfo) -> str:
    value: Any = field.default
    if value is None:
        return "not set"
    if hasattr(value, "total_seconds"):
        value = format_duration(value)
    if isinstance(value, bool):
        value = str(value).lower()
    return f"`{value}`"
