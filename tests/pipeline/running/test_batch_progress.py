"""Spark's reports of micro-batches, as they are published and printed, whatever the query reads."""

import json
from dataclasses import replace

import pytest

from contract.progress import QueryProgress
from pipeline.running.batch_progress import progress_line, to_query_progress


def report(source: dict[str, object]) -> dict[str, object]:
    """A report as Spark makes it, of one source."""
    return {
        "name": "a query",
        "id": "12ab",
        "timestamp": "2026-11-20T10:00:00.000Z",
        "batchId": 3,
        "batchDuration": 900,
        "sources": [source],
    }


def test_a_query_on_kafka_has_offsets() -> None:
    ends = {"startOffset": {"nest-logs": {"0": 2}}, "endOffset": {"nest-logs": {"0": 5, "1": 7}}}
    ends["latestOffset"] = {"nest-logs": {"0": 9, "1": 7}}
    progress = to_query_progress(report({**ends, "numInputRows": 20}))
    assert (progress.end_offsets, progress.input_rows, progress.table) == ({0: 5, 1: 7}, 10, None)
    assert progress.log_end_offsets == {0: 9, 1: 7}
    assert progress_line(progress) == "a query       batch 3, 10 messages in 0.9 s, 4 behind"
    one = replace(progress, input_rows=1, state_rows=1)
    assert progress_line(one).endswith("1 message in 0.9 s, 4 behind, 1 row of state")


@pytest.mark.parametrize("start", [None, {}, {"nest-logs": {}}])
def test_a_first_batch_that_begins_late_in_the_topic_has_no_more_records_than_were_read(
    start: object,
) -> None:
    source = {"startOffset": start, "endOffset": {"nest-logs": {"0": 1_000_050, "1": 10}}}
    progress = to_query_progress(report({**source, "numInputRows": 60}))
    assert progress.input_rows == 60
    twice = {"startOffset": start, "endOffset": {"nest-logs": {"0": 50}}, "numInputRows": 100}
    assert to_query_progress(report(twice)).input_rows == 50, "two passes over one batch"


def test_a_query_on_a_table_has_the_version_up_to_which_it_has_read_everything() -> None:
    def read(version: int, index: int, *, is_initial: bool) -> QueryProgress:
        offset = {
            "sourceVersion": 1,
            "reservoirId": "an id",
            "reservoirVersion": version,
            "index": index,
            "isStartingVersion": is_initial,
        }
        source = {"description": "DeltaSource[file:/a/lake/camera]", "numInputRows": 1234}
        return to_query_progress(report({**source, "endOffset": json.dumps(offset)}))

    whole = read(6, -1, is_initial=False)
    assert (whole.table, whole.table_id, whole.end_version) == ("camera", "an id", 5)
    assert whole.end_offsets == {}
    assert read(6, 2, is_initial=False).end_version == 5, "a part of version 6 is still to come"
    assert read(6, 2, is_initial=True).end_version == -1, "a part of the first rows is to come"
    line = "a query       batch 3, 1,234 rows of camera in 0.9 s, "
    assert progress_line(whole) == f"{line}0 files behind"
    behind = replace(whole, files_outstanding=2, bytes_outstanding=34_500)
    assert progress_line(behind) == f"{line}2 files (34 kB) behind"
