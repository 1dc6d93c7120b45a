"""Who lives in a home and at which address, made up by Faker."""

from functools import cache
from typing import NamedTuple

from faker import Faker

from producer.world.seeded import uniforms


class Residents(NamedTuple):
    """A household's name and street."""

    family: str
    street: str


@cache
def _faker() -> Faker:
    return Faker("en_US")


def residents(structure_id: str) -> Residents:
    """Return who lives in a home; the answer does not depend on the homes asked for before."""
    fake = _faker()
    fake.seed_instance(int(next(uniforms(structure_id.encode())) * 0x1_0000_0000))
    return Residents(fake.last_name(), fake.street_address())
