"""Wait until a running demo has done something, and say for what it was in vain."""

from collections.abc import Callable
from typing import TypeVar

from contract.errors import UserError
from contract.polling import poll_until

T = TypeVar("T")


def wait_for_demo(
    condition: Callable[[], T], what: str, timeout: float, interval: float = 0.1
) -> T:
    """Call ``condition`` until it returns something true and return that.

    ``what`` names the awaited thing, ``timeout`` and ``interval`` are in seconds. Raises UserError
    with that name when it never came.
    """
    try:
        return poll_until(condition, what, timeout, interval)
    except TimeoutError as error:
        raise UserError(f"Waited in vain: {error}. The logs of the demo say why.") from None
