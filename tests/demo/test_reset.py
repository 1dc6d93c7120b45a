"""`nest reset` shows what it would remove, asks, and keeps its hands off a running demo."""

import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from contract.checkpoint_sidecars import MaintenanceFile
from contract.errors import UserError
from contract.settings import Settings, load_settings
from demo.cli import app
from demo.commands.reset import leftovers_lines
from demo.stack.exclusive_commands import ExclusiveCommand
from demo.stack.jars.lock import locked_jars
from demo.stack.kept_seed import keep_seed
from demo.stack.run_lock import RunLock
from pipeline.single_writer.lock import pipeline_lock

_SPARK_JAR = f"jars/{locked_jars(['spark'])[0].path}"


@pytest.fixture
def left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """What a run leaves behind, the lake outside of the usual folder."""
    state, lake = tmp_path / "state", tmp_path / "lake"
    files = (
        *("kafka/log/meta.properties", "logs/pipeline.log", "logs/mine.log", "mine/notes"),
        *("run/lake/camera/_delta_log/0.json", "device_locations-7-500.csv", "jars/mine.jar"),
        *(_SPARK_JAR, "jars/broker/mine.jar", "cluster/store/s3proxy.conf"),
        *("checkpoints/stats/metadata", "checkpoints/stats.origin"),
        *("checkpoints/stats.rebuild", "checkpoints/.stats.rebuild.crc"),
        *("checkpoints/starting_offsets", "checkpoints/.starting_offsets.crc"),
        *(f"checkpoints/{kind}0a1b" for kind in MaintenanceFile),
        *(f".{name}.0a1b.unfinished" for name in ("up.json", "last-check.json", "held.json")),
        *(".addresses.json.0a1b.unfinished", ".device_locations-7-500.csv.0a1b.unfinished"),
        "kafka/.seed.0a1b.unfinished",
        *("storm/kafka/log/meta.properties", "storm/lake/camera/1.parquet", "screenshot/mine.png"),
    )
    (state / "spark-warehouse").mkdir(parents=True)
    in_lake = ("camera/_delta_log/0.json", "pipeline.lock")
    for file in (*(state / name for name in files), *(lake / name for name in in_lake)):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(b"x" * 3_000_000)
    keep_seed(Settings(), state / "kafka")
    monkeypatch.setenv("NEST_STATE", str(state))
    monkeypatch.setenv("NEST_LAKE", str(lake))
    monkeypatch.setenv("NEST_CHECKPOINTS", str(state / "checkpoints"))
    return tmp_path


def test_small_files_are_one_line_for_a_folder_and_the_largest_come_first() -> None:
    found = {
        Path("/n/lock"): 10,
        Path("/n/held.json"): 20,
        Path("/n/lake"): 4_000_000,
        Path("/n/kafka/log"): 500_000_000,
        Path("/n/logs/kafka.log"): 2_000,
    }
    assert list(leftovers_lines(found)) == [
        "    500 MB  /n/kafka/log",
        "      4 MB  /n/lake",
        "      0 MB  /n/logs: 1 small file",
        "      0 MB  /n: 2 small files",
        "    504 MB  in all",
    ]


def test_it_shows_sizes_and_removes_only_after_yes(left: Path) -> None:
    refused = CliRunner().invoke(app, ["reset"], input="n\n")
    assert "3 MB" in refused.stdout
    assert str(left / "lake") in refused.stdout
    assert refused.exit_code == 1
    assert refused.stderr == "Nothing was changed.\n"
    assert (left / "state" / "kafka").exists()
    CliRunner().invoke(app, ["reset"], input="y\n")
    require_only_the_users_files(left)


def require_only_the_users_files(left: Path) -> None:
    kept = {str(path.relative_to(left)) for path in left.rglob("*") if path.is_file()}
    assert kept == {
        *("state/jars/mine.jar", "state/jars/broker/mine.jar", "state/" + _SPARK_JAR),
        *("state/logs/mine.log", "state/mine/notes"),
        "state/screenshot/mine.png",
    }
    assert not (left / "lake").exists()
    assert not (left / "state" / "checkpoints").exists()
    assert not (left / "state" / "spark-warehouse").exists()


def test_a_second_reset_removes_what_is_left_of_one_that_was_cut_off(
    left: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where the first files to go are those by which a folder is known."""

    def cut_off(folder: Path) -> None:
        for marker in ("meta.properties", "metadata", "s3proxy.conf", "_delta_log/0.json"):
            for file in folder.rglob(marker):
                file.unlink()
        (folder / "other").touch()
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("shutil.rmtree", cut_off)
        assert CliRunner().invoke(app, ["reset", "--yes"]).exit_code == 130
    again = left / "lake" / "camera" / "_delta_log"
    again.mkdir(parents=True)  # a demo may have run meanwhile
    assert CliRunner().invoke(app, ["reset", "--yes"]).exit_code == 0
    require_only_the_users_files(left)


def test_the_jars_go_only_with_all(left: Path) -> None:
    CliRunner().invoke(app, ["reset", "--all", "--yes"])
    jars = left / "state" / "jars"
    kept = {str(path.relative_to(jars)) for path in jars.rglob("*")}
    assert kept == {"mine.jar", "broker", "broker/mine.jar"}
    assert (left / "state" / "mine" / "notes").exists()


def test_a_users_own_folder_given_as_lake_state_or_checkpoints_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine = (
        *("notes.txt", "camera/holiday.jpg", "logs/pipeline.log", "kafka/log/mine"),
        *("work/stats/table.csv", "work/stats.xlsx", "work/alerts.md"),
        "work/archive.2025/thesis.tex",
        *("cluster/inventory.yml", "spark-warehouse/mine.parquet"),
        *("lake/camera_status/holiday.parquet", "jars/my.jar"),
    )
    ours = (
        *("lake/camera/_delta_log/0.json", "quarantine/_delta_log/0.json"),
        *("work/archive/metadata", "work/stats.origin", "work/.stats.origin.crc"),
    )
    (tmp_path / "camera_status").mkdir()
    for name in (*mine, *ours):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("x")
    monkeypatch.chdir(tmp_path)
    for name, folder in (("STATE", "."), ("LAKE", "."), ("CHECKPOINTS", "work")):
        monkeypatch.setenv(f"NEST_{name}", folder)
    result = CliRunner().invoke(app, ["reset", "--yes", "--all"])
    assert result.exit_code == 0, result.output
    kept = {str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*") if path.is_file()}
    assert kept == set(mine)
    assert (tmp_path / "camera_status").is_dir()


@pytest.mark.parametrize("run", ExclusiveCommand)
def test_it_refuses_while_a_command_runs_that_holds_a_lock(
    left: Path, run: ExclusiveCommand
) -> None:
    with RunLock(left / "state", run).held():
        result = CliRunner().invoke(app, ["reset", "--yes"])
    assert isinstance(result.exception, UserError)
    assert (left / "state" / "kafka").exists()


def test_it_refuses_while_a_pipeline_works_with_the_checkpoints(
    left: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also one whose demo has its state elsewhere."""
    with pipeline_lock(load_settings()):
        monkeypatch.setenv("NEST_STATE", str(left / "other"))
        result = CliRunner().invoke(app, ["reset", "--yes"])
    assert isinstance(result.exception, UserError)
    assert "A pipeline works with" in str(result.exception)
    assert (left / "state" / "checkpoints" / "pipeline.lock").exists()
    assert (left / "lake" / "camera").exists()


@pytest.mark.parametrize("demo", [".", "run", "storm"])
def test_it_refuses_while_a_kafka_that_was_started_by_itself_runs(left: Path, demo: str) -> None:
    log = left / "state" / demo / "kafka" / "log"
    log.mkdir(parents=True, exist_ok=True)
    hold = (
        "import fcntl, sys; file = open(sys.argv[1], 'w'); fcntl.lockf(file, 2); print(); input()"
    )
    command = [sys.executable, "-c", hold, str(log / ".lock")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as kafka:
        assert kafka.stdout
        kafka.stdout.read(1)
        result = CliRunner().invoke(app, ["reset", "--yes"])
        kafka.communicate(b"\n")
    assert "Kafka is running on" in str(result.exception)
    assert log.exists()
    assert (left / "state" / "checkpoints" / "stats").exists()
