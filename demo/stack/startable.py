"""What several services make together: it runs as long as a `with` block."""

from abc import ABC, abstractmethod
from typing import Self


class Startable(ABC):
    """Started at the beginning of a block, and stopped at its end or when it does not start."""

    @abstractmethod
    def start(self) -> None:
        """Start everything and return when it is ready; UserError for what does not start."""

    @abstractmethod
    def stop(self) -> None:
        """Stop what runs, also after a start that failed."""

    def __enter__(self) -> Self:
        """Start it."""
        try:
            self.start()
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(self, *exception: object) -> None:
        """Stop it."""
        self.stop()
