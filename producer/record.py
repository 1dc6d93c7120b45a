"""A record on its way to nest-logs."""

from typing import NamedTuple

Headers = list[tuple[str, bytes]]


class OutgoingRecord(NamedTuple):
    """A record that is to be sent; moments are in milliseconds since 1970.

    ``send_at`` is when it is due, which is after its timestamp if it is late on purpose.
    ``is_message`` is False for what is added to the homes' own messages.
    """

    send_at: int
    timestamp: int
    key: bytes
    value: bytes | None
    headers: Headers
    is_message: bool = True
