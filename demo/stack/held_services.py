"""Services that another command wants stopped for a while, kept in a file that `nest up` reads."""

import json
from collections.abc import Iterator
from contextlib import contextmanager

import psutil

from contract.atomic_write import write_atomically
from contract.settings import Settings

HELD_FILE = "held.json"
"""In the folder of the state."""


class HeldServices:
    """The services that are held: `nest up` stops them, and starts them when they are let go.

    A hold ends with the process that made it, however that ends.
    """

    def __init__(self, settings: Settings) -> None:
        self._file = settings.state / HELD_FILE

    def held(self) -> frozenset[str]:
        """Return the names of the services that are held now."""
        try:
            pid, created, names = json.loads(self._file.read_text())
            is_same = abs(psutil.Process(pid).create_time() - created) < 1
        except (FileNotFoundError, ValueError, psutil.NoSuchProcess):
            return frozenset()
        return frozenset(names) if is_same else frozenset()

    @contextmanager
    def holding(self, service: str) -> Iterator[None]:
        """Hold a service while the block runs."""
        self._write(self.held() | {service})
        try:
            yield
        finally:
            self._write(self.held() - {service})

    def _write(self, names: frozenset[str]) -> None:
        if not names:
            self._file.unlink(missing_ok=True)
            return
        process = psutil.Process()
        held = [process.pid, process.create_time(), sorted(names)]
        write_atomically(self._file, json.dumps(held))
