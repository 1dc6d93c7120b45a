"""The topic is walked in pieces that leave nothing out and read nothing twice."""

from hypothesis import given
from hypothesis import strategies as st

from check.recount import pieces

BOUNDS = st.dictionaries(
    st.integers(0, 5), st.tuples(st.integers(0, 50), st.integers(0, 400)), max_size=5
).map(lambda bounds: {n: (start, start + length) for n, (start, length) in bounds.items()})


@given(BOUNDS, st.integers(1, 100))
def test_pieces_cover_every_offset_once(bounds: dict[int, tuple[int, int]], size: int) -> None:
    cut = list(pieces(bounds, size))
    for number, (start, end) in bounds.items():
        walked = [offset for piece in cut for offset in range(*piece.get(number, (0, 0)))]
        assert walked == list(range(start, end))


@given(BOUNDS, st.integers(1, 100))
def test_no_piece_is_much_larger_than_asked_for(
    bounds: dict[int, tuple[int, int]], size: int
) -> None:
    for piece in pieces(bounds, size):
        assert sum(end - start for start, end in piece.values()) <= size + len(bounds)
