"""The residents of a home are drawn from its id."""

from producer.world.residents import residents
from tests.producer.first_homes import first_homes

HOMES = first_homes(50)


def test_a_home_keeps_its_residents_whatever_was_asked_before() -> None:
    first = residents(HOMES[0].structure_id)
    others = {residents(home.structure_id) for home in HOMES[1:]}
    assert residents(HOMES[0].structure_id) == first
    assert len(others) > 45
    assert first.family
    assert first.street
