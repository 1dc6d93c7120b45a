"""The first homes of the default world, built once for all tests of a process."""

from functools import cache

from producer.world.homes import build_home
from producer.world.model import Home


@cache
def first_homes(count: int = 1000) -> list[Home]:
    """Return the homes with the numbers below ``count``; they are shared, so leave them as is."""
    return [build_home(1, number) for number in range(count)]
