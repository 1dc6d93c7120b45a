"""`nest ready`: whether the counts keep up with nest-logs, for a health check."""

from contract.connections import open_consumer
from contract.counts import Counts
from contract.errors import UserError
from contract.polling import poll_until
from contract.progress import ProgressLog
from contract.queries import STATS
from contract.settings import Settings
from demo.stack.offsets import READ_BACK, end_offsets, has_reached


def require_counts(settings: Settings, within: float) -> None:
    """Return once all that is in nest-logs now has been counted; UserError if it takes too long.

    ``within`` is in seconds. Without a message or a count there is no report, which is not ready.
    """
    ends = end_offsets(settings.bootstrap_servers)
    if not any(ends.values()):
        raise UserError("There is no message in nest-logs yet.")
    progress, counts = ProgressLog(READ_BACK), Counts()
    with open_consumer(settings.bootstrap_servers) as consumer:

        def counted() -> bool:
            progress.refresh(consumer)
            return has_reached(progress.committed_offsets(STATS), ends)

        try:
            poll_until(counted, "the counts", within, interval=0.3)
        except TimeoutError:
            raise UserError(
                f"{sum(ends.values()):,} messages are in nest-logs, and not all of them were "
                f"counted within {within:g} s."
            ) from None
        counts.refresh(consumer)
    if not counts.by_key:
        raise UserError("There is no count yet.")
