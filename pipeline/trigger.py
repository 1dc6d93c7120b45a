"""When a query has its micro-batches."""

from datetime import timedelta
from typing import Any

from contract.duration import format_duration


def trigger(*, once: bool, **live: timedelta) -> dict[str, Any]:
    """Return what ``DataStreamWriter.trigger`` takes.

    With ``once`` the query reads to the end of what there is now, and ends. Else it runs until it
    is stopped, at the ``live`` trigger, such as ``processingTime`` with how long that is.
    """
    if once:
        return {"availableNow": True}
    return {name: format_duration(duration) for name, duration in live.items()}
