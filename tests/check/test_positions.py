"""The topic is read in chunks that leave nothing out and read nothing twice."""

from hypothesis import given
from hypothesis import strategies as st

from check.positions import chunks, is_expired

BOUNDS = st.dictionaries(
    st.integers(0, 5), st.tuples(st.integers(0, 50), st.integers(0, 400)), max_size=5
).map(lambda bounds: {n: (start, start + length) for n, (start, length) in bounds.items()})


@given(BOUNDS, st.integers(1, 100))
def test_chunks_cover_every_offset_once(bounds: dict[int, tuple[int, int]], size: int) -> None:
    cut = list(chunks(bounds, size))
    for number, (start, end) in bounds.items():
        read = [offset for chunk in cut for offset in range(*chunk.get(number, (0, 0)))]
        assert read == list(range(start, end))


@given(BOUNDS, st.integers(1, 100))
def test_no_chunk_is_much_larger_than_asked_for(
    bounds: dict[int, tuple[int, int]], size: int
) -> None:
    for chunk in chunks(bounds, size):
        assert sum(end - start for start, end in chunk.values()) <= size + len(bounds)


def test_a_record_below_the_first_offset_of_its_partition_is_expired() -> None:
    bounds = {0: (5, 9), 1: (0, 3)}
    assert is_expired((0, 4), bounds)
    for position in ((0, 5), (0, -1), (0, None), (1, 0), (2, 0), (None, None)):
        assert not is_expired(position, bounds)
