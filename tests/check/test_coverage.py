"""What a query has taken in is known by the ranges of offsets that its files hold."""

from hypothesis import given
from hypothesis import strategies as st

from check.coverage import Coverage
from check.positions import OffsetRanges

RANGES = st.dictionaries(
    st.integers(0, 2),
    st.tuples(st.integers(0, 30), st.integers(1, 6)).map(lambda one: (one[0], sum(one))),
)


@given(st.lists(RANGES, max_size=8))
def test_a_record_is_covered_if_a_file_has_its_offset_in_its_range(
    files: list[OffsetRanges],
) -> None:
    covered = {
        (partition, offset)
        for file in files
        for partition, (start, end) in file.items()
        for offset in range(start, end)
    }
    coverage = Coverage(files)
    for partition in range(3):
        for offset in range(40):
            assert coverage.covers((partition, offset)) == ((partition, offset) in covered)
    assert not coverage.covers((0, None))
    assert not coverage.covers((None, None))
