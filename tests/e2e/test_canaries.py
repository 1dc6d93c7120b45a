"""The search for a secret finds it wherever it is."""

import random
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.e2e.canaries import SPELLINGS, files_with


@pytest.mark.parametrize("word", SPELLINGS)
@pytest.mark.parametrize("shape", ["text", "bytes", "struct", "list", "map"])
def test_a_secret_is_found_in_a_compressed_table(tmp_path: Path, word: str, shape: str) -> None:
    noise = random.Random(1).randbytes(3000).hex()  # so much that it is compressed
    text = f'{noise} {{"token": "{word}"}}'
    value, kind = {
        "text": (text, pa.string()),
        "bytes": (text.encode("latin-1"), pa.binary()),
        "struct": ({"a": {"b": text}}, pa.struct({"a": pa.struct({"b": pa.string()})})),
        "list": ([None, text], pa.list_(pa.string())),
        "map": ([(text, 1)], pa.map_(pa.string(), pa.int64())),
    }[shape]
    cells = pa.array([None, value, None], kind)
    file = tmp_path / "data" / "part-0.zstd.parquet"
    file.parent.mkdir()
    pq.write_table(pa.table({"raw": cells}), file, compression="zstd", write_statistics=False)
    assert word.encode() not in file.read_bytes()
    assert files_with(tmp_path, SPELLINGS) == [f"{file}: {word}"]


def test_a_secret_is_found_in_any_other_file(tmp_path: Path) -> None:
    (tmp_path / "log").write_text(f"Bearer {SPELLINGS[0]}", encoding="utf-8")
    assert files_with(tmp_path, SPELLINGS) == [f"{tmp_path / 'log'}: {SPELLINGS[0]}"]
    assert files_with(tmp_path, ("another",)) == []
