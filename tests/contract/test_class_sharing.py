"""An archive of classes is used for the very jars it was written for, and only a whole one."""

import os
import subprocess
from contextlib import suppress
from pathlib import Path

import pytest

from contract.class_sharing import (
    class_archive_path,
    new_class_archive,
    options_to_use_archive,
    options_to_write_archive,
)
from contract.errors import UserError


def test_an_archive_is_used_until_a_jar_of_either_folder_is_another(tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    for folder in (first, second):
        folder.mkdir()
        (folder / "a.jar").touch()
        archive = class_archive_path(first, second)
        assert options_to_use_archive(archive) == []
        archive.touch()
        assert options_to_use_archive(archive)[0] == f"-XX:SharedArchiveFile={archive}"
    (second / "a.jar").write_text("of another version")
    assert options_to_use_archive(class_archive_path(first, second)) == []


def test_a_new_archive_takes_the_place_of_former_ones(tmp_path: Path) -> None:
    (tmp_path / "classes-of-other-jars.jsa").touch()
    archive = class_archive_path(tmp_path)
    with new_class_archive(archive) as part:
        assert options_to_write_archive(part)[0] == f"-XX:ArchiveClassesAtExit={part}"
        part.touch()
        assert not archive.exists()
    assert list(tmp_path.iterdir()) == [archive]


def test_a_java_that_writes_none_is_named_with_what_it_may_lack(tmp_path: Path) -> None:
    with (
        pytest.raises(UserError, match=r"java has written no archive .*-Xshare:dump"),
        new_class_archive(class_archive_path(tmp_path)),
    ):
        pass


def test_nothing_is_left_of_an_archive_that_was_not_finished(tmp_path: Path) -> None:
    ended = subprocess.Popen(["true"])
    ended.wait()
    left_over = tmp_path / f"classes-0.{ended.pid}.part"
    others = tmp_path / f"classes-0.{os.getppid()}.part"
    left_over.touch()
    others.touch()
    with (
        suppress(KeyboardInterrupt),
        new_class_archive(class_archive_path(tmp_path)) as part,
    ):
        part.touch()
        raise KeyboardInterrupt
    assert list(tmp_path.iterdir()) == [others], "its process still runs"
