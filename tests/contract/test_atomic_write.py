"""A small file that several processes write at the same time."""

import threading
from pathlib import Path

import pytest

from contract.atomic_write import write_atomically


def test_a_reader_sees_what_one_writer_wrote_and_never_a_mixture(tmp_path: Path) -> None:
    file, texts = tmp_path / "verdict.json", [letter * 200_000 for letter in "abcd"]
    write_atomically(file, texts[0])

    def write(text: str) -> None:
        for _ in range(50):
            write_atomically(file, text)

    threads = [threading.Thread(target=write, args=(text,)) for text in texts]
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads):
        assert file.read_text() in texts
    assert [each.name for each in tmp_path.iterdir()] == ["verdict.json"]


def test_a_file_that_cannot_be_replaced_leaves_nothing_behind(tmp_path: Path) -> None:
    (tmp_path / "verdict.json").mkdir()
    with pytest.raises(OSError, match="directory"):
        write_atomically(tmp_path / "verdict.json", "{}")
    assert [each.name for each in tmp_path.iterdir()] == ["verdict.json"]
