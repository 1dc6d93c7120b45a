"""An archive of classes is used for the very jars it was written for, and only a whole one."""

from pathlib import Path

import pytest

from contract.class_sharing import archive_in, new_archive, reading_options, writing_options
from contract.errors import UserError


def test_an_archive_is_used_until_a_jar_of_either_folder_is_another(tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    for folder in (first, second):
        folder.mkdir()
        (folder / "a.jar").touch()
        archive = archive_in(first, second)
        assert reading_options(archive) == []
        archive.touch()
        assert reading_options(archive)[0] == f"-XX:SharedArchiveFile={archive}"
    (second / "a.jar").write_text("of another version")
    assert reading_options(archive_in(first, second)) == []


def test_a_new_archive_takes_the_place_of_former_ones(tmp_path: Path) -> None:
    (tmp_path / "classes-of-other-jars.jsa").touch()
    archive = archive_in(tmp_path)
    with new_archive(archive) as part:
        assert writing_options(part)[0] == f"-XX:ArchiveClassesAtExit={part}"
        part.touch()
        assert not archive.exists()
    assert list(tmp_path.iterdir()) == [archive]


def test_a_java_that_writes_none_is_named_with_what_it_may_lack(tmp_path: Path) -> None:
    with (
        pytest.raises(UserError, match=r"java has written no archive .*-Xshare:dump"),
        new_archive(archive_in(tmp_path)),
    ):
        pass
