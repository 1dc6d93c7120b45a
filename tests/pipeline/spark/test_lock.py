"""One pipeline at a time works with the same checkpoints, and with the same lake."""

import os
from pathlib import Path

import pytest

from contract.errors import UserError
from contract.settings import Settings
from pipeline.spark.lock import are_checkpoints_locked, is_locked, pipeline_lock


def settings_in(folder: Path, lake: str = "lake", checkpoints: str = "checkpoints") -> Settings:
    (folder / lake).mkdir(exist_ok=True)
    return Settings(lake=str(folder / lake), checkpoints=str(folder / checkpoints))


def test_a_second_pipeline_on_the_same_checkpoints_is_refused_and_names_the_first(
    tmp_path: Path,
) -> None:
    first, second = settings_in(tmp_path), settings_in(tmp_path, lake="other")
    with (
        pipeline_lock(first),
        pytest.raises(
            UserError,
            match=rf"Another pipeline .*checkpoints in .*process {os.getpid()}.*NEST_CHECKPOINTS",
        ),
        pipeline_lock(second),
    ):
        pass


def test_a_second_pipeline_on_the_same_lake_is_refused_whatever_its_checkpoints_are(
    tmp_path: Path,
) -> None:
    first, second = settings_in(tmp_path), settings_in(tmp_path, checkpoints="other")
    with pipeline_lock(first):
        assert is_locked(second)
        assert not are_checkpoints_locked(second)
        with (
            pytest.raises(
                UserError, match=rf"Another pipeline .*lake in .*process {os.getpid()}.*NEST_LAKE"
            ),
            pipeline_lock(second),
        ):
            pass
    assert not is_locked(second)
    with pipeline_lock(second):
        pass


def test_lake_and_checkpoints_may_be_the_same_folder(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path)
    for lake in (".", "link"):
        with pipeline_lock(settings_in(tmp_path, lake=lake, checkpoints=".")):
            pass


def test_a_lake_that_does_not_exist_is_not_made(tmp_path: Path) -> None:
    settings = Settings(lake=str(tmp_path / "mistyped"), checkpoints=str(tmp_path))
    with pipeline_lock(settings):
        assert not (tmp_path / "mistyped").exists()


def test_the_next_pipeline_gets_the_locks_of_one_that_has_ended(tmp_path: Path) -> None:
    for _ in range(2):
        with pipeline_lock(settings_in(tmp_path)):
            for folder in ("lake", "checkpoints"):
                assert (tmp_path / folder / "pipeline.lock").exists()


def test_folders_in_hadoops_file_system_have_no_lock(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pipeline_lock(Settings(lake="hdfs://host/lake", checkpoints="hdfs://host/checkpoints")):
        assert not list(tmp_path.iterdir())
