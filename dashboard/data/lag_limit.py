"""How many messages may wait before a query counts as behind."""

_BASE_LAG = 20
COUNTS_LAG_SECONDS = 5.0
"""The counts are up to date with this many seconds of incoming messages to go, and the base lag."""


def lag_limit(messages_per_second: float | None, seconds: float = COUNTS_LAG_SECONDS) -> float:
    """Return the highest lag that is no delay; ``seconds`` of messages may wait in any case."""
    return seconds * (messages_per_second or 0) + _BASE_LAG
