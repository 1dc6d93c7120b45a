"""`nest run` and `nest storm` empty only what an earlier one has made."""

from collections.abc import Callable
from pathlib import Path

import pytest
from rich.console import Console

from contract.errors import UserError
from contract.settings import Settings
from demo.commands.run import run
from demo.commands.scratch_demo import STORM, scratch_settings
from demo.stack.working_folder import empty_working_folder


@pytest.mark.parametrize(
    "made", ["kafka/log/meta.properties", "kafka/server.properties", "lake/x", None]
)
def test_a_folder_is_emptied_only_if_it_is_a_demos(tmp_path: Path, made: str | None) -> None:
    folder = tmp_path / "run"
    if made:
        (folder / made).parent.mkdir(parents=True)
        (folder / made).write_text("x")
    if made == "lake/x":
        with pytest.raises(UserError, match="no demo has made"):
            empty_working_folder(folder)
        assert (folder / made).exists()
    else:
        empty_working_folder(folder)
        assert list(folder.iterdir()) == []


def test_a_folder_is_emptied_also_after_an_emptying_that_was_cut_off(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where the first file to go was the one by which the folder is known."""
    folder, marker = tmp_path / "run", "kafka/server.properties"
    for name in (marker, "lake/x"):
        (folder / name).parent.mkdir(parents=True)
        (folder / name).touch()

    def cut_off(folder: Path, **options: bool) -> None:
        (folder / marker).unlink()
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("shutil.rmtree", cut_off)
        with pytest.raises(KeyboardInterrupt):
            empty_working_folder(folder)
    empty_working_folder(folder)
    assert list(tmp_path.rglob("*")) == [folder]


def test_a_folder_with_the_jars_of_another_demo_is_a_demos(tmp_path: Path) -> None:
    (tmp_path / "storm").mkdir()
    (tmp_path / "storm" / "jars").symlink_to(tmp_path)
    empty_working_folder(tmp_path / "storm")
    assert list((tmp_path / "storm").iterdir()) == []


@pytest.mark.parametrize("name", ["run", STORM])
@pytest.mark.parametrize("has_jars", [True, False])
def test_a_users_own_folder_stays(tmp_path: Path, name: str, has_jars: bool) -> None:
    mine = tmp_path / name / "mine"
    mine.parent.mkdir()
    mine.write_text("x")
    if has_jars:
        (tmp_path / "jars" / "broker").mkdir(parents=True)
        (tmp_path / "jars" / "broker" / "kafka.jar").touch()
    settings = Settings(state=tmp_path)
    starts: dict[str, Callable[[], object]] = {
        "run": lambda: run(settings, 1, None, Console(quiet=True)),
        STORM: lambda: scratch_settings(settings, STORM, {}),
    }
    with pytest.raises(UserError, match="no demo has made" if has_jars else "jars"):
        starts[name]()
    assert mine.exists()
