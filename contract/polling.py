"""Wait for a condition, never for a time."""

from collections.abc import Callable
from typing import TypeVar

from tenacity import RetryError, Retrying, retry_if_result, stop_after_delay, wait_fixed

T = TypeVar("T")


def poll_until(condition: Callable[[], T], what: str, timeout: float, interval: float = 0.1) -> T:
    """Call ``condition`` until it returns something true and return that.

    ``what`` names the awaited thing, ``timeout`` and ``interval`` are in seconds.
    Raises TimeoutError with that name when it never came.
    """
    retrying = Retrying(
        retry=retry_if_result(lambda result: not result),
        stop=stop_after_delay(timeout),
        wait=wait_fixed(interval),
    )
    try:
        return retrying(condition)
    except RetryError:
        raise TimeoutError(f"{what} did not come within {timeout:g} s") from None
