"""`nest history` lists a table's versions without a JVM."""

import json
import os
from datetime import UTC, datetime
from io import StringIO
from pathlib import Path

import pyarrow as pa
import pytest
from deltalake import DeltaTable, write_deltalake
from rich.console import Console

from contract.delta_commits import Commit
from contract.errors import UserError
from contract.settings import Settings
from demo.commands.history import as_json, commits_table, read_history


def test_the_newest_versions_come_first(tmp_path: Path) -> None:
    for number in range(3):
        write_deltalake(tmp_path / "camera", pa.table({"offset": [number]}), mode="append")
    commits = read_history(Settings(lake=str(tmp_path)), "camera", 2)
    found = [(each.version, each.operation, each.rows, each.files_added) for each in commits]
    assert found == [(2, "WRITE", 1, 1), (1, "WRITE", 1, 1)]
    assert [each["version"] for each in json.loads(as_json(commits))] == [2, 1]


def test_in_80_columns_each_version_is_a_line() -> None:
    time = datetime(2026, 11, 20, 10, tzinfo=UTC)
    commits = [
        Commit(1234, time, "CREATE TABLE", None, None, None, None, None),
        Commit(1233, time, "STREAMING UPDATE", 123_456, 1, 100, 98_765_000, None),
    ]
    output = StringIO()
    Console(width=80, file=output).print(commits_table("camera", commits))
    printed = output.getvalue()
    assert "CREATE TABLE" in printed
    assert "STREAMING UPDATE  123,456      1      100  98,765" in printed


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ("cameras", "There is no table 'cameras'. The tables are camera, quarantine, "),
        ("camera", r"There is no table camera in /.* \(NEST_LAKE\) yet"),
    ],
)
def test_a_table_that_is_not_there_is_one_sentence(
    tmp_path: Path, table: str, message: str
) -> None:
    with pytest.raises(UserError, match=message):
        read_history(Settings(lake=os.path.relpath(tmp_path)), table, 20)


def test_a_damaged_commit_before_the_checkpoint_is_one_sentence(tmp_path: Path) -> None:
    table = tmp_path / "camera"
    for number in range(3):
        write_deltalake(table, pa.table({"offset": [number]}), mode="append")
    DeltaTable(table).create_checkpoint()
    torn = table / "_delta_log" / f"{1:020}.json"
    torn.write_text(torn.read_text()[:60])
    settings = Settings(lake=str(tmp_path))
    assert [each.version for each in read_history(settings, "camera", 1)] == [2]
    with pytest.raises(UserError, match=r"newest 20 commits of camera is damaged: .*smaller N"):
        read_history(settings, "camera", 20)


def test_a_lake_that_cannot_be_read_is_one_sentence(tmp_path: Path) -> None:
    log = tmp_path / "camera" / "_delta_log"
    log.mkdir(parents=True)
    (log / f"{0:020}.json").write_text("no JSON")
    for lake in (str(tmp_path), "hdfs://nowhere/lake"):
        with pytest.raises(UserError, match=f"camera in {lake} cannot be read: .*NEST_LAKE says"):
            read_history(Settings(lake=lake), "camera", 20)
