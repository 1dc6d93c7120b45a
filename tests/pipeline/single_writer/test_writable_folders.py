"""Folders that cannot be written are named, with their setting, before anything begins."""

from pathlib import Path

import pytest

from contract.errors import UserError
from contract.settings import Settings
from pipeline.single_writer.writable_folders import require_writable_folders


def test_folders_that_do_not_exist_yet_are_made(tmp_path: Path) -> None:
    lake, checkpoints = tmp_path / "a" / "lake", tmp_path / "b" / "checkpoints"
    require_writable_folders(Settings(lake=str(lake), checkpoints=str(checkpoints)))
    assert lake.is_dir()
    assert list(checkpoints.iterdir()) == []


@pytest.mark.parametrize("setting", ["lake", "checkpoints"])
def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path, setting: str) -> None:
    (tmp_path / "file").touch()
    folder = str(tmp_path / "file" / "folder")
    settings = Settings(lake=str(tmp_path / "l"), checkpoints=str(tmp_path / "c"))
    with pytest.raises(UserError, match=f"NEST_{setting.upper()}") as raised:
        require_writable_folders(settings.model_copy(update={setting: folder}))
    assert f"The folder {folder} cannot be written: Not a directory" in str(raised.value)


def test_a_table_in_which_nothing_can_be_written_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "lake" / "camera" / "_delta_log").mkdir(parents=True)
    (tmp_path / "lake" / "photos").mkdir()
    tried = []

    def refuse(dir: Path) -> object:  # noqa: A002 - root may write anywhere
        tried.append(dir)
        if dir.name in ("_delta_log", "photos"):
            raise PermissionError(13, "Permission denied")
        return (tmp_path / "probe").open("w")

    monkeypatch.setattr("tempfile.TemporaryFile", refuse)
    with pytest.raises(UserError, match=r"camera/_delta_log cannot be written: Permission denied"):
        require_writable_folders(Settings(lake=str(tmp_path / "lake")))
    assert tmp_path / "lake" / "photos" not in tried


def test_hadoops_file_system_looks_after_its_own_folders(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    require_writable_folders(
        Settings(lake="hdfs://host/lake", checkpoints="hdfs://host/checkpoints")
    )
    assert not list(tmp_path.iterdir()), "no folder hdfs: in the current one"
