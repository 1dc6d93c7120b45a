"""Rows come in the order of the topic's chunks, and a compacted file is read once for all."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.dataset as ds
import pytest
from deltalake import DeltaTable, write_deltalake
from hypothesis import given
from hypothesis import strategies as st

from check import chunk_rows
from check.chunk_rows import rows_by_chunk
from check.positioned_table import PositionedTable
from check.positions import OffsetRanges, chunk_number, chunks

BOUNDS: OffsetRanges = {0: (100, 400), 1: (0, 100), 2: (7, 7)}
RECORDS = [(n, offset) for n, (start, end) in BOUNDS.items() for offset in range(start, end)]
OUTSIDE = [(0, 99), (0, 400), (1, 100), (2, 7), (9, 0), (None, None), (0, None), (None, 3)]


def table_of(folder: Path, positions: Sequence[tuple[int | None, int | None]], files: int) -> str:
    """Write rows, two of each position, in files that each have positions of the whole topic."""
    schema = pa.schema(
        [
            ("partition", pa.int32()),
            ("offset", pa.int64()),
            ("event", pa.struct([("zones", pa.list_(pa.string()))])),
        ]
    )
    rows = [
        {"partition": n, "offset": offset, "event": {"zones": [f"{n}-{offset}", None]}}
        for n, offset in [*positions, *positions]
    ]
    path = str(folder / "table")
    for i in range(files):
        write_deltalake(path, pa.Table.from_pylist(rows[i::files], schema), mode="append")
    return path


@pytest.mark.parametrize("bytes_in_memory", [2_000, 1 << 20])
def test_each_chunk_has_the_rows_of_its_records_in_whatever_files_they_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, bytes_in_memory: int
) -> None:
    monkeypatch.setattr(chunk_rows, "BYTES_IN_MEMORY", bytes_in_memory)
    monkeypatch.setattr(chunk_rows, "SPILL_FILES_AT_A_TIME", 3)
    table = PositionedTable(DeltaTable(table_of(tmp_path, [*RECORDS, *OUTSIDE], 3)))
    ranges = list(chunks(BOUNDS, 20))
    spilled = tmp_path / "spilled"
    spilled.mkdir()
    found = list(rows_by_chunk(table, BOUNDS, ranges, spilled))
    assert len(found) == len(ranges) == 20
    for chunk, rows in zip(ranges, found, strict=True):
        expected = [
            (n, offset, f"{n}-{offset}")
            for n, (start, end) in chunk.items()
            for offset in range(start, end)
            for _ in range(2)
        ]
        assert sorted(expected) == sorted(
            (row["partition"], row["offset"], row["event"]["zones"][0]) for row in rows.to_pylist()
        )
    assert not list(spilled.iterdir())


def test_a_compacted_file_is_read_once_for_all_chunks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = table_of(tmp_path, RECORDS, 8)
    DeltaTable(path).optimize.compact()
    table = PositionedTable(DeltaTable(path))
    opened: Counter[str] = Counter()
    dataset = PositionedTable._dataset

    def counting(self: PositionedTable, files: Sequence[str]) -> ds.Dataset:
        opened.update(files)
        return dataset(self, files)

    monkeypatch.setattr(PositionedTable, "_dataset", counting)
    assert (
        sum(
            rows.num_rows
            for rows in rows_by_chunk(table, BOUNDS, list(chunks(BOUNDS, 20)), tmp_path)
        )
        == 800
    )
    assert list(opened.values()) == [1]


@given(st.integers(0, 50), st.integers(1, 400), st.integers(1, 40))
def test_an_offset_is_in_the_chunk_that_begins_at_or_before_it(
    start: int, length: int, count: int
) -> None:
    end = start + length
    firsts = [start + length * i // count for i in range(count)]
    for offset in range(start, end):
        expected = max(i for i, first in enumerate(firsts) if first <= offset)
        assert chunk_number(offset, start, end, count) == expected
