"""How much disk the demo uses, and how fast that grows."""

import os
import time
from collections.abc import Callable
from pathlib import Path

from contract.settings import Settings

SETTLES_S = 300.0
"""Until then the archive writes the history, which says nothing of the hours to come."""
FIRST_INTERVAL_S = 900.0
"""Of the first measurement; in a shorter time single batches would show."""
LATER_INTERVAL_S = 3600.0


def bytes_used(folder: Path) -> int:
    """Return the disk space that a folder occupies; Kafka's index files are sparse."""
    total = 0
    for path, _, names in os.walk(folder):
        for name in names:
            try:
                total += (Path(path) / name).lstat().st_blocks * 512
            except FileNotFoundError:  # segments, batches and logs come and go
                continue
    return total


def demo_bytes(settings: Settings) -> int:
    """Return the disk space of the demo's topics, lake, checkpoints and logs."""
    state = settings.state
    folders = (state / "kafka", state / "logs", Path(settings.lake), Path(settings.checkpoints))
    return sum(bytes_used(folder) for folder in folders)


class DiskGrowth:
    """Measures how fast disk use grows: from the fifth minute to the twentieth, then every hour."""

    def __init__(
        self, used: Callable[[], int], clock: Callable[[], float] = time.monotonic
    ) -> None:
        """Start measuring: ``used`` returns bytes, ``clock`` seconds."""
        self._used, self._clock = used, clock
        self._since, self._bytes = clock(), used()
        self._wait = SETTLES_S

    def line(self) -> str | None:
        """Return a line for people when it is time for one, else None."""
        passed = self._clock() - self._since
        if passed < self._wait:
            return None
        used = self._used()
        per_hour = (used - self._bytes) / passed * 3600
        self._since, self._bytes = self._clock(), used
        if self._wait == SETTLES_S:
            self._wait = FIRST_INTERVAL_S
            return None
        self._wait = LATER_INTERVAL_S
        growth = format_disk_space(per_hour)
        return f"Disk: {format_disk_space(used)} used, growing by {growth} an hour."


def format_disk_space(count: float) -> str:
    """Write a number of bytes for people."""
    return f"{count / 1e9:,.1f} GB" if abs(count) >= 1e9 else f"{count / 1e6:,.0f} MB"
