"""A number of things reads right for one of them, too."""

from contract.quantities import format_quantity


def test_one_thing_is_no_plural_and_many_have_a_thousands_separator() -> None:
    assert format_quantity(0, "record") == "0 records"
    assert format_quantity(1, "record") == "1 record"
    assert format_quantity(2000, "record") == "2,000 records"
