"""Whether the counts keep up with nest-logs, for a health check."""

from contract.counts import Counts
from contract.errors import UserError
from contract.reading import open_consumer
from contract.settings import Settings
from contract.waiting import poll_until
from demo.positions import STATS, LatestProgress, covers, end_offsets


def require_counts(settings: Settings, within: float) -> None:
    """Return once all that is in nest-logs now has been counted; UserError if it takes too long.

    ``within`` is in seconds. A topic without a message is not ready: there is no report to read.
    """
    ends = end_offsets(settings.bootstrap_servers)
    if not any(ends.values()):
        raise UserError("There is no message in nest-logs yet.")
    progress, counts = LatestProgress(), Counts()
    with open_consumer(settings.bootstrap_servers) as consumer:

        def counted() -> bool:
            progress.refresh(consumer)
            stats = progress.by_query.get(STATS)
            return stats is not None and covers(stats.end_offsets, ends)

        try:
            poll_until(counted, "the count of them", within, interval=0.3)
        except TimeoutError:
            raise UserError(
                f"{sum(ends.values()):,} messages are in nest-logs, and not all of them were "
                f"counted within {within:g} s."
            ) from None
        counts.refresh(consumer)
    if not counts.by_key:
        raise UserError("There is no count yet.")
