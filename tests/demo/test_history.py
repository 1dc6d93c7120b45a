"""`nest history` lists a table's versions without a JVM."""

import json
import os
from pathlib import Path

import pyarrow as pa
import pytest
from deltalake import write_deltalake

from contract.errors import UserError
from contract.settings import Settings
from demo.commands.history import as_json, read_history


def test_the_newest_versions_come_first(tmp_path: Path) -> None:
    for number in range(3):
        write_deltalake(tmp_path / "camera", pa.table({"offset": [number]}), mode="append")
    commits = read_history(Settings(lake=str(tmp_path)), "camera", 2)
    found = [(each.version, each.operation, each.rows, each.files_added) for each in commits]
    assert found == [(2, "WRITE", 1, 1), (1, "WRITE", 1, 1)]
    assert [each["version"] for each in json.loads(as_json(commits))] == [2, 1]


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


def test_a_lake_that_cannot_be_read_is_one_sentence(tmp_path: Path) -> None:
    log = tmp_path / "camera" / "_delta_log"
    log.mkdir(parents=True)
    (log / f"{0:020}.json").write_text("no JSON")
    for lake in (str(tmp_path), "hdfs://nowhere/lake"):
        with pytest.raises(UserError, match=f"camera in {lake} cannot be read: .*NEST_LAKE says"):
            read_history(Settings(lake=lake), "camera", 20)
