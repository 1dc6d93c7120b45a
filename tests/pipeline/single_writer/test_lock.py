"""One pipeline at a time works with the same checkpoints, and with the same lake."""

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from contract.errors import UserError
from contract.settings import Settings
from pipeline.single_writer.lock import are_checkpoints_locked, is_locked, pipeline_lock


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
            match=rf"pipeline, or .*checkpoints in .*process {os.getpid()}.*NEST_CHECKPOINTS",
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
                UserError,
                match=rf"pipeline, or .*lake in .*process {os.getpid()}.*NEST_LAKE",
            ),
            pipeline_lock(second),
        ):
            pass
    assert not is_locked(second)
    with pipeline_lock(second):
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


HOLDER = """
import subprocess, sys
from pathlib import Path
from tests.pipeline.single_writer.test_lock import settings_in
from pipeline.single_writer.lock import pipeline_lock

with pipeline_lock(settings_in(Path(sys.argv[1]))):
    child = subprocess.Popen(["cat"], close_fds=False)
    print("locked", flush=True)
    child.wait()
"""
"""A pipeline whose child, like a JVM, ends with its standard input and not with the pipeline."""


def test_the_next_pipeline_waits_until_the_jvm_of_one_that_was_killed_has_ended(
    tmp_path: Path,
) -> None:
    settings = settings_in(tmp_path)

    def take_lock() -> bool:
        with pipeline_lock(settings):
            return True

    with subprocess.Popen(
        [sys.executable, "-c", HOLDER, tmp_path], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as holder:
        assert holder.stdin
        assert holder.stdout
        assert holder.stdout.readline() == b"locked\n"
        holder.kill()
        holder.wait()
        assert is_locked(settings)
        with ThreadPoolExecutor() as pool:
            taken = pool.submit(take_lock)
            with pytest.raises(TimeoutError):
                taken.result(timeout=2)
            holder.stdin.close()
            assert taken.result(timeout=20)


def test_a_pipeline_that_has_ended_leaves_the_lock_though_its_jvm_lives_on(tmp_path: Path) -> None:
    settings = settings_in(tmp_path)
    with pipeline_lock(settings):
        child = subprocess.Popen(["cat"], stdin=subprocess.PIPE, close_fds=False)
    with child:
        assert not is_locked(settings)


def test_folders_in_hadoops_file_system_have_no_lock(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pipeline_lock(Settings(lake="hdfs://host/lake", checkpoints="hdfs://host/checkpoints")):
        assert not list(tmp_path.iterdir())
