"""How far nest-logs has come, and how far a query in it."""

from collections.abc import Mapping
from datetime import datetime

from kafka import TopicPartition
from kafka.admin import OffsetSpec

from contract.connections import open_admin
from contract.instants import from_epoch_ms
from contract.topics import NEST_LOGS

READ_BACK = 1000
"""How many progress records to read at first: the newest of each running query is among them."""


def end_offsets(bootstrap_servers: str) -> dict[int, int]:
    """Return the end of nest-logs by partition."""
    found = _offsets(bootstrap_servers, OffsetSpec.LATEST)
    return {number: offset for number, (offset, _) in found.items()}


def newest_timestamp(bootstrap_servers: str) -> datetime | None:
    """Return the newest timestamp in nest-logs, UTC; None while it is empty."""
    found = _offsets(bootstrap_servers, OffsetSpec.MAX_TIMESTAMP)
    newest = max(timestamp for _, timestamp in found.values())
    return from_epoch_ms(newest) if newest >= 0 else None


def has_reached(committed: Mapping[int, int], ends: Mapping[int, int]) -> bool:
    """Tell whether a query's committed offsets have reached these ends."""
    return all(committed.get(number, 0) >= end for number, end in ends.items())


def _offsets(bootstrap_servers: str, spec: OffsetSpec) -> dict[int, tuple[int, int]]:
    """Return (offset, timestamp in ms) by partition of nest-logs."""
    with open_admin(bootstrap_servers) as admin:
        wanted = {TopicPartition(NEST_LOGS.name, n): spec for n in range(NEST_LOGS.partitions)}
        found = admin.list_partition_offsets(wanted)
        return {tp.partition: (each.offset, each.timestamp) for tp, each in found.items()}
