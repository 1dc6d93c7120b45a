"""Where a simulation may begin: neither before Kafka's timestamps do, nor in the future."""

from datetime import datetime

from contract.errors import UserError
from producer.replay_clock import now
from producer.world.instants import to_epoch_ms


def require_possible_start(start: datetime | None) -> None:
    """Raise UserError for a first moment before 1970, and for one that is still to come."""
    if start is None:
        return
    if to_epoch_ms(start) < 0:
        raise UserError(f"{start.isoformat()} is before 1970, where Kafka's timestamps begin.")
    if to_epoch_ms(start) > now():
        raise UserError(
            f"{start.isoformat()} is still to come: the simulation starts with the past. Start "
            "earlier."
        )
