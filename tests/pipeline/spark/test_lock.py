"""One pipeline at a time works with the same checkpoints."""

import os
from pathlib import Path

import pytest

from contract.errors import UserError
from contract.settings import Settings
from pipeline.spark.lock import pipeline_lock


def test_a_second_pipeline_on_the_same_checkpoints_is_refused_and_names_the_first(
    tmp_path: Path,
) -> None:
    settings = Settings(checkpoints=str(tmp_path / "checkpoints"))
    with (
        pipeline_lock(settings),
        pytest.raises(UserError, match=rf"Another pipeline .*process {os.getpid()}"),
        pipeline_lock(settings),
    ):
        pass


def test_the_next_pipeline_gets_the_lock_of_one_that_has_ended(tmp_path: Path) -> None:
    settings = Settings(checkpoints=str(tmp_path))
    for _ in range(2):
        with pipeline_lock(settings):
            assert (tmp_path / "pipeline.lock").exists()


def test_checkpoints_in_hadoops_file_system_have_no_lock(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pipeline_lock(Settings(checkpoints="hdfs://host/checkpoints")):
        assert not list(tmp_path.iterdir())
