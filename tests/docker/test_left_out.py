"""What the images leave out of their packages; an engine is not needed to test it."""

import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

from requirements.leave_out import (
    fits_nothing,
    leave_out,
    lines_about,
    lines_of_list,
    package_of_line,
)

ROOT = Path(__file__).parents[2]


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A folder of packages, with some files."""
    folder = tmp_path / "site-packages"
    for name in ("spark/jars/hive-1.jar", "spark/jars/core-1.jar", "spark/tests/a/b.py"):
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.touch()
    return folder


def files(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


def test_files_and_folders_that_fit_are_removed_and_the_others_stay(site: Path) -> None:
    leave_out(site, ["spark/jars/hive-*.jar", "spark/tests"], None)
    assert files(site) == {"spark/jars/core-1.jar"}


def test_they_can_move_to_a_folder_under_the_same_path(site: Path, tmp_path: Path) -> None:
    rest = tmp_path / "rest"
    leave_out(site, ["spark/jars/hive-*.jar", "spark/tests"], rest)
    assert files(rest / site.relative_to("/")) == {"spark/jars/hive-1.jar", "spark/tests/a/b.py"}


def test_entries_of_a_jar_are_left_out_and_the_others_stay_as_they_were(site: Path) -> None:
    jar = site / "spark/jars/native-1.jar"
    with zipfile.ZipFile(jar, "w") as archive:
        for name in ("a-linux64.so", "a-musl.so", "a.dll", "A.class"):
            archive.writestr(name, name.encode())
    leave_out(site, ["spark/jars/native-*.jar!/*.dll", "spark/jars/native-*.jar!/*-musl.so"], None)
    with zipfile.ZipFile(jar) as archive:
        assert {name: archive.read(name) for name in archive.namelist()} == {
            "a-linux64.so": b"a-linux64.so",
            "A.class": b"A.class",
        }
    assert "spark/jars/native-1.jar" in files(site)
    assert "spark/jars/native-1.part" not in files(site)
    with pytest.raises(SystemExit, match=r"native-\*\.jar!/\*\.dll"):
        leave_out(site, ["spark/jars/native-*.jar!/*.dll"], None)


def test_a_line_that_fits_nothing_is_an_error_and_nothing_is_removed(site: Path) -> None:
    before = files(site)
    with pytest.raises(SystemExit, match=r"spark/jars/derby-\*\.jar"):
        leave_out(site, ["spark/jars/hive-*.jar", "spark/jars/derby-*.jar"], None)
    assert files(site) == before


def test_a_package_without_a_line_is_an_error() -> None:
    with pytest.raises(SystemExit, match="nothing of pysparc"):
        lines_about(["numpy", "pysparc"])


@pytest.mark.skipif(sys.platform != "linux", reason="the images are Linux")
def test_each_line_fits_a_file_of_the_packages_of_today() -> None:
    site = Path(sysconfig.get_path("purelib"))
    assert [line for line in lines_of_list() if fits_nothing(site, line)] == []


def test_the_dockerfile_asks_for_each_package_of_the_list() -> None:
    words = (ROOT / "Dockerfile").read_text().split()
    assert {package_of_line(line) for line in lines_of_list()} <= set(words)
