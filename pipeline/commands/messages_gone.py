"""Whether messages are gone from nest-logs, so that nothing of them could be made again."""

from contract.errors import UserError
from contract.kafka.connections import open_consumer, partitions_of
from contract.quantities import format_quantity
from contract.settings import Settings
from contract.topics import NEST_LOGS


def count_messages_gone(settings: Settings) -> int:
    """Return how many messages are gone from nest-logs, for example by its retention."""
    with open_consumer(settings.kafka) as consumer:
        return sum(consumer.beginning_offsets(partitions_of(consumer, NEST_LOGS.name)).values())


def require_all_messages(settings: Settings) -> None:
    """Raise UserError if messages are gone from nest-logs: nothing of them could be made again."""
    gone = count_messages_gone(settings)
    if gone:
        raise UserError(
            f"{NEST_LOGS.name} has lost {format_quantity(gone, 'message')}, for example by its "
            "retention. What was made of them would be deleted, and nothing could make it again. "
            "To delete it all the same, add --force."
        )
