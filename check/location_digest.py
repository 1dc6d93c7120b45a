"""The digest of device locations by which a query says with which table it counts."""

from collections.abc import Iterable

from xxhash import xxh64_intdigest

_SPARK_SEED = 42
"""With which Spark's function xxhash64 hashes the first column; a hash is the seed of the next."""


def location_digest(locations: Iterable[tuple[str, str]]) -> str:
    """Return the digest of device_id and zip_code, in whatever order the devices are.

    It is their number, and the sum of the hashes of all lines.
    """
    count = total = 0
    for device_id, zip_code in locations:
        count += 1
        total += xxh64_intdigest(
            zip_code.encode(), xxh64_intdigest(device_id.encode(), _SPARK_SEED)
        )
    return f"{count}-{total % (1 << 64):016x}"
