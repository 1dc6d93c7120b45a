"""What still tells of somebody is found in rows, in older files and in the log."""

from pathlib import Path

import pyarrow as pa
from deltalake import DeltaTable, write_deltalake

from labs.traces import FILES, LOG, ROWS, traces


def test_an_id_is_found_wherever_a_table_still_has_it(tmp_path: Path) -> None:
    path = str(tmp_path / "seen")
    rows = pa.table({"device_id": ["anna", "bert", "anna", "carl"]})
    write_deltalake(path, rows)
    assert traces(path, {"anna"}) == {ROWS: 2, LOG: 1}, "the log has the smallest device_id"
    assert traces(path, {"bert"}) == {ROWS: 1}
    assert traces(path, {"dora"}) == {}

    table = DeltaTable(path)
    table.delete("device_id = 'anna'")
    assert traces(path, {"anna"}) == {FILES: 1, LOG: 2}, "and the delete its condition"
    table.vacuum(0, enforce_retention_duration=False, dry_run=False)
    assert traces(path, {"anna"}).keys() == {LOG}
