"""A demo from scratch for a program: `nest up` in an emptied folder, with the jars at hand."""

from collections.abc import Mapping
from typing import Any

from contract.errors import UserError
from contract.java import require_java
from contract.settings import Settings
from demo.health.ready import require_ready
from demo.stack.addresses import with_kept_addresses
from demo.stack.environment import environment
from demo.stack.kafka_java import require_kafka_jars
from demo.stack.nest_argv import nest_argv
from demo.stack.service import Service
from demo.stack.working_folder import empty_working_folder, link_jars

_START_S = 300.0
_READY_WITHIN_S = 30.0


STORM = "storm"
SCREENSHOT = "screenshot"
SCRATCH_DEMOS = (STORM, SCREENSHOT)
"""The folders of such demos below the state's."""


def scratch_settings(settings: Settings, name: str, defaults: Mapping[str, Any]) -> Settings:
    """Return the settings of a demo in the folder ``name`` of the state's, which is emptied.

    ``defaults`` are for settings that the user has left alone. Raises UserError without Java or
    Kafka's jars, and if the folder is not a demo's.
    """
    require_java(settings.kafka_memory, "NEST_KAFKA_MEMORY")
    require_kafka_jars(settings)
    state = settings.state.resolve() / name
    empty_working_folder(state)
    link_jars(settings, state)
    own = {
        "state": state,
        "lake": str(state / "lake"),
        "checkpoints": str(state / "checkpoints"),
        **{
            name: value for name, value in defaults.items() if name not in settings.model_fields_set
        },
    }
    return Settings.model_validate(settings.model_dump(exclude_unset=True) | own)


def scratch_demo(settings: Settings) -> Service:
    """Return the demo of such settings; it is ready when its counts are up to date."""
    return Service(
        "nest up",
        nest_argv("up"),
        log=settings.state / "logs" / "up.log",
        environment=environment(settings),
        ready=lambda: is_demo_ready(settings, _READY_WITHIN_S),
        start_timeout=_START_S,
        stop_timeout=20,
    )


def is_demo_ready(settings: Settings, within: float) -> bool:
    """Tell whether such a demo's counts are up to date, ``within`` so many seconds."""
    try:
        require_ready(with_kept_addresses(settings), within)
    except UserError:
        return False
    return True
