"""Large rows make small chunks, so that memory does not grow with what a message holds."""

import pytest

from check.chunk_size import CHUNK_BYTES, MOST_CUTS, records_per_chunk
from check.data_file import DataFile

BOUNDS = {0: (0, 50_000), 1: (0, 50_000)}
MEGABYTE = 1_000_000


def file(first: int, last: int, size: int) -> DataFile:
    offsets = dict.fromkeys(BOUNDS, (first, last + 1))
    return DataFile("x.parquet", offsets, False, 2 * (last - first + 1), size)


def test_usual_rows_are_read_by_the_number_of_records() -> None:
    files = [file(first, first + 999, 4 * MEGABYTE) for first in range(0, 50_000, 1_000)]
    assert records_per_chunk(BOUNDS, [files, []], 8_000) == 8_000
    assert records_per_chunk({}, [[], []], 8_000) == 8_000


@pytest.mark.parametrize("table", [0, 1])
def test_rows_of_a_megabyte_are_read_in_small_chunks_wherever_they_are(table: int) -> None:
    tables: list[list[DataFile]] = [[], []]
    tables[table] = [file(20_000, 20_499, 1_000 * MEGABYTE)]
    size = records_per_chunk(BOUNDS, tables, 8_000)
    assert 2 * size * MEGABYTE <= 4 * CHUNK_BYTES
    many = {0: (0, 50_000_000), 1: (0, 50_000_000)}
    assert records_per_chunk(many, tables, 8_000) >= 8_000 // MOST_CUTS
