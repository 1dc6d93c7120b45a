"""A check whose temporary files have no room says so in a sentence."""

import resource
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pyarrow as pa
import pytest

from check.scratch_folder import scratch_folder
from check.sightings import Sightings
from check.spill_file import SpillFile
from contract.errors import UserError


@contextmanager
def files_cannot_grow() -> Iterator[None]:
    """Let each write to a file of this process fail, as on a full disk."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def spill(folder: Path) -> None:
    file = SpillFile(folder)
    with files_cannot_grow():
        file.write(pa.table({"text": ["x" * 100_000]}))


def keep_locations(folder: Path) -> None:
    with closing(Sightings(folder)) as sightings, files_cannot_grow():
        sightings.add_locations([("a", "94304")])


@pytest.mark.parametrize("keep", [spill, keep_locations])
def test_a_full_disk_is_named_with_what_to_do(keep: Callable[[Path], None]) -> None:
    with (
        pytest.raises(UserError, match=r"cannot write to .*set TMPDIR"),
        scratch_folder() as folder,
    ):
        keep(folder)
    assert not folder.exists()


def test_other_errors_stay_what_they_are() -> None:
    with pytest.raises(FileNotFoundError), scratch_folder() as folder:
        (folder / "missing").read_text()
