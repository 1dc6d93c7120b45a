"""A message of a home, as it goes to nest-logs."""

from typing import NamedTuple


class Message(NamedTuple):
    """The moment of the report, the home's structure_id and its document as UTF-8 JSON."""

    timestamp: int
    key: bytes
    value: bytes
