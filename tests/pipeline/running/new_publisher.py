"""A publisher of progress with what a test does not care about."""

from collections.abc import Callable, Mapping
from datetime import timedelta
from types import MappingProxyType

from rich.console import Console

from contract.progress import QueryProgress
from pipeline.lake.table_offset import TableOffset
from pipeline.running.backlog import Backlog
from pipeline.running.progress_publisher import ProgressPublisher


def new_publisher(
    kafka: str,
    *,
    console: Console | None = None,
    read_backlog: Callable[[TableOffset], Backlog] = lambda offset: Backlog(0, 0),
    earlier: Mapping[str, QueryProgress] = MappingProxyType({}),
    longest_waits: Mapping[str, timedelta] = MappingProxyType({}),
) -> ProgressPublisher:
    """A publisher that prints nothing, unless it is given a console."""
    return ProgressPublisher(
        kafka, console or Console(quiet=True), read_backlog, earlier, longest_waits
    )
