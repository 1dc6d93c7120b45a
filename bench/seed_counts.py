"""Fill nest-camera-stats with many counts."""

from datetime import UTC, datetime

from bench.contenders.count_writer import HOUR_US, CountWriter
from contract.instants import whole_hour
from contract.settings import Settings

_ZIP_CODES = 1000


def seed_counts(settings: Settings, keys: int) -> None:
    """Write one count for each of ``keys`` keys: 1,000 zip codes an hour, back from this hour."""
    now = whole_hour(datetime.now(UTC))
    newest, writer = int(now.timestamp()) * 1_000_000, CountWriter(settings)
    for start in range(0, keys, _ZIP_CODES):
        hour = newest - start // _ZIP_CODES * HOUR_US
        writer.send(
            ((f"{94000 + n % _ZIP_CODES}", hour), 1 + n * 7919 % 4500)
            for n in range(start, min(start + _ZIP_CODES, keys))
        )
    writer.flush()
