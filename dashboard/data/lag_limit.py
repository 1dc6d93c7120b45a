"""How many messages may wait before a query counts as behind."""

from contract.progress import QueryProgress

_BASE_LAG = 20
COUNTS_LAG_SECONDS = 5.0
"""The counts are up to date with this many seconds of incoming messages to go, and the base lag."""
_BATCH_S = 2.0
"""How long a batch of the counts may take after its wait."""


def counts_lag_seconds(progress: QueryProgress | None) -> float:
    """Return how many seconds of messages may wait for the counts, which may wait themselves."""
    longest_wait_s = progress.longest_wait.total_seconds() if progress else 0.0
    return max(COUNTS_LAG_SECONDS, longest_wait_s + _BATCH_S)


def lag_limit(messages_per_second: float | None, seconds: float) -> float:
    """Return the highest lag that is no delay; ``seconds`` of messages may wait in any case."""
    return seconds * (messages_per_second or 0) + _BASE_LAG
