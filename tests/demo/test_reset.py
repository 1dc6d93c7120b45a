"""`nest reset` shows what it would remove, asks, and keeps its hands off a running demo."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from contract.errors import UserError
from demo.cli import app
from demo.stack.run_lock import RunLock


@pytest.fixture
def left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """What a run leaves behind, the lake outside of the usual folder."""
    state, lake = tmp_path / "state", tmp_path / "lake"
    files = ("kafka/log", "run/lake/part", "device_locations-7-500.csv", "jars/x.jar", "mine/notes")
    for file in (*(state / name for name in files), lake / "camera" / "part"):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(b"x" * 3_000_000)
    monkeypatch.setenv("NEST_STATE", str(state))
    monkeypatch.setenv("NEST_LAKE", str(lake))
    monkeypatch.setenv("NEST_CHECKPOINTS", str(state / "checkpoints"))
    return tmp_path


def test_it_shows_sizes_and_removes_only_after_yes(left: Path) -> None:
    refused = CliRunner().invoke(app, ["reset"], input="n\n")
    assert "3 MB" in refused.stdout
    assert str(left / "lake") in refused.stdout
    assert (left / "state" / "kafka").exists()
    CliRunner().invoke(app, ["reset"], input="y\n")
    kept = {str(path.relative_to(left)) for path in left.rglob("*") if path.is_file()}
    assert kept == {"state/jars/x.jar", "state/mine/notes"}


def test_the_jars_go_only_with_all(left: Path) -> None:
    CliRunner().invoke(app, ["reset", "--all", "--yes"])
    assert not (left / "state" / "jars").exists()
    assert (left / "state" / "mine" / "notes").exists()


def test_it_refuses_while_the_demo_runs(left: Path) -> None:
    with RunLock(left / "state" / "up.json", "nest up").held():
        result = CliRunner().invoke(app, ["reset", "--yes"])
    assert isinstance(result.exception, UserError)
    assert (left / "state" / "kafka").exists()
