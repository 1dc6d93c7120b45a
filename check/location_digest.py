"""The digest of device locations by which a query says with which table it counts."""

from collections.abc import Iterable

_MASK = (1 << 64) - 1
_PRIME_1, _PRIME_2, _PRIME_3, _PRIME_4, _PRIME_5 = (
    0x9E3779B185EBCA87,
    0xC2B2AE3D27D4EB4F,
    0x165667B19E3779F9,
    0x85EBCA77C2B2AE63,
    0x27D4EB2F165667C5,
)
_SPARK_SEED = 42
"""With which Spark's function xxhash64 hashes the first column; a hash is the seed of the next."""


def location_digest(locations: Iterable[tuple[str, str]]) -> str:
    """Return the digest of device_id and zip_code, in whatever order the devices are.

    It is their number, and the sum of the hashes of all lines.
    """
    count = total = 0
    for device_id, zip_code in locations:
        count += 1
        total += xxhash64(zip_code.encode(), xxhash64(device_id.encode(), _SPARK_SEED))
    return f"{count}-{total & _MASK:016x}"


def xxhash64(text: bytes, seed: int) -> int:
    """Return the hash XXH64 of some bytes, as its specification says."""
    size = len(text)
    done = size - size % 32
    result = _hash_stripes(text[:done], seed) if done else seed + _PRIME_5
    result = (result + size) & _MASK
    while done + 8 <= size:
        word = int.from_bytes(text[done : done + 8], "little")
        result = _rotate(result ^ _round(0, word), 27) * _PRIME_1 + _PRIME_4 & _MASK
        done += 8
    if done + 4 <= size:
        word = int.from_bytes(text[done : done + 4], "little")
        result = _rotate(result ^ word * _PRIME_1 & _MASK, 23) * _PRIME_2 + _PRIME_3 & _MASK
        done += 4
    for byte in text[done:]:
        result = _rotate(result ^ byte * _PRIME_5 & _MASK, 11) * _PRIME_1 & _MASK
    result = (result ^ result >> 33) * _PRIME_2 & _MASK
    result = (result ^ result >> 29) * _PRIME_3 & _MASK
    return result ^ result >> 32


def _hash_stripes(text: bytes, seed: int) -> int:
    """Return the hash of whole stripes of 32 bytes, which four accumulators share."""
    parts = [seed + _PRIME_1 + _PRIME_2, seed + _PRIME_2, seed, seed - _PRIME_1]
    parts = [part & _MASK for part in parts]
    for start in range(0, len(text), 8):
        lane = start // 8 % 4
        parts[lane] = _round(parts[lane], int.from_bytes(text[start : start + 8], "little"))
    result = sum(map(_rotate, parts, (1, 7, 12, 18))) & _MASK
    for part in parts:
        result = (result ^ _round(0, part)) * _PRIME_1 + _PRIME_4 & _MASK
    return result


def _round(part: int, word: int) -> int:
    return _rotate(part + word * _PRIME_2 & _MASK, 31) * _PRIME_1 & _MASK


def _rotate(number: int, bits: int) -> int:
    return (number << bits | number >> 64 - bits) & _MASK
