"""Three Kafka brokers on this machine, one of which can be killed: what a cluster is for."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from contract.settings import Settings
from demo.cluster.brokers import Brokers


@contextmanager
def three_brokers(settings: Settings, folder: Path) -> Iterator[Brokers]:
    """Run three brokers until the block ends."""
    brokers = Brokers(settings, folder)
    try:
        brokers.start()
        yield brokers
    finally:
        brokers.close()
