"""Which offsets rows have is said partition by partition, and gaps are shown."""

from types import SimpleNamespace

from labs.offsets import spans


def rows(*positions: tuple[str, int, int]) -> list[SimpleNamespace]:
    names = ("topic", "partition", "offset")
    return [SimpleNamespace(**dict(zip(names, each, strict=True))) for each in positions]


def test_each_partition_is_named_with_its_first_and_last_offset() -> None:
    found = rows(("a", 1, 4), ("a", 0, 2), ("a", 0, 1), ("b", 0, 7), ("a", 1, 5))
    assert spans(found) == "a-0: 1-2, a-1: 4-5, b-0: 7"


def test_a_gap_is_left_out_and_nothing_is_said_to_be_none() -> None:
    assert spans(rows(("a", 0, 1), ("a", 0, 2), ("a", 0, 5))) == "a-0: 1-2 and 5"
    assert spans([]) == "none"
