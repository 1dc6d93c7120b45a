"""Where a simulation may begin: neither before nest-logs takes records, nor in the future."""

from datetime import datetime

from contract.errors import UserError
from contract.instants import to_epoch_ms
from contract.topics import NEST_LOGS
from producer.replay_clock import now
from producer.world.instants import format_epoch_ms
from producer.world.time_units import DAY


def earliest_start() -> int:
    """Return the first moment (ms since 1970) whose messages nest-logs takes, for a day from now.

    The broker refuses what is older than the topic's setting says.
    """
    return max(0, now() - int(NEST_LOGS.config["message.timestamp.before.max.ms"]) + DAY)


def require_possible_start(start: datetime | None) -> None:
    """Raise UserError for a first moment that nest-logs does not take, or that is still to come."""
    if start is None:
        return
    if to_epoch_ms(start) < earliest_start():
        raise UserError(
            f"{start.isoformat()} is too long ago: {NEST_LOGS.name} takes no message from before "
            f"{format_epoch_ms(earliest_start())}."
        )
    if to_epoch_ms(start) > now():
        raise UserError(
            f"{start.isoformat()} is still to come: the simulation starts with the past. Start "
            "earlier."
        )
