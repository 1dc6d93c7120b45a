"""The whole check: on a correct run, on a system that keeps running, and where it cannot read."""

import json
import shutil
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pyarrow as pa
import pytest
from deltalake import DeltaTable, write_deltalake
from kafka import TopicPartition

from check import Verdict, run_check
from contract.errors import UserError
from contract.kafka.connections import open_admin
from tests.check.verdicts import failing, found
from tests.sample.odd_timestamps import remove_guards
from tests.sample.small_run import SmallRun, at, camera, event, small_run, with_status

pytestmark = pytest.mark.kafka

TEN = ("10:00:00", "11:00:00")


def test_a_correct_run_holds(check: Callable[[SmallRun], Verdict]) -> None:
    verdict = check(with_status(small_run()))
    assert failing(verdict) == {}
    assert verdict.holds
    assert found(verdict, "cameras in camera_status") == "5"
    assert found(verdict, "records of nest-logs recounted") == "14"
    assert found(verdict, "archive rows") == "15"
    assert found(verdict, "quarantine rows") == "6"
    assert found(verdict, "counts (zip code and hour)") == "3"
    assert found(verdict, "sightings counted") == "4"
    assert verdict.notes == [
        "distinct sightings: 4 on time (1 of them unplaced), 1 too late, 1 from the future"
    ]


@pytest.mark.parametrize("table", ["camera", "quarantine"])
def test_a_missing_table_is_named(fresh_topics: str, tmp_path: Path, table: str) -> None:
    settings = small_run().write(fresh_topics, tmp_path)
    shutil.rmtree(tmp_path / "lake" / table)
    examples = failing(run_check(settings))
    assert f"table {table}" in examples
    assert f"{'archive' if table == 'camera' else table} rows missing" in examples


def test_a_table_with_other_columns_is_named(fresh_topics: str, tmp_path: Path) -> None:
    settings = small_run().write(fresh_topics, tmp_path)
    uri = str(tmp_path / "lake" / "camera")
    rows = DeltaTable(uri).to_pyarrow_table().drop_columns(["name", "where_id"])
    rows = rows.append_column("colour", pa.nulls(rows.num_rows, pa.string()))
    write_deltalake(uri, rows, mode="overwrite", schema_mode="overwrite")
    verdict = run_check(settings)
    assert found(verdict, "columns of camera") == "without name, where_id; with colour"
    assert set(failing(verdict)) == {"columns of camera", "archive values that differ"}


def test_an_empty_topic_proves_nothing(fresh_topics: str, tmp_path: Path) -> None:
    verdict = run_check(SmallRun(locations="device_id,zip_code\n").write(fresh_topics, tmp_path))
    assert set(failing(verdict)) == {
        "records of nest-logs recounted",
        "values compared",
    }


@pytest.mark.parametrize("query", ["archive", "stats"])
def test_a_query_that_has_committed_nothing_is_named(
    check: Callable[[SmallRun], Verdict], query: str
) -> None:
    run = small_run()
    del run.committed[query]
    assert set(failing(check(run))) == {f"records committed by {query}"}


def test_offsets_that_the_topic_does_not_have_are_named(
    check: Callable[[SmallRun], Verdict],
) -> None:
    run = small_run()
    run.committed["archive"][2] = 7
    examples = failing(check(run))
    assert examples == {
        "offsets committed by archive that nest-logs does not have": (
            "partition 2 ends at 3, archive has committed 7"
        )
    }


def test_records_that_are_no_counts_are_reported_and_not_fatal(
    check: Callable[[SmallRun], Verdict],
) -> None:
    run = small_run()
    run.counts.insert(0, (("94304", *TEN), b"many"))
    run.counts.append((("94304", *TEN), b"-3"))
    run.counts.append((("95000", *TEN), None))
    verdict = check(run)
    assert failing(verdict) == {}
    notes = "\n".join(verdict.notes)
    assert "2 records of nest-camera-stats are no counts: offset 0: not a count: 'many'" in notes
    assert "1 record of nest-camera-stats removes a count: offset 6: 95000 2026-11-20T10" in notes


def a_later_sighting(run: SmallRun) -> None:
    """One more message, which neither query has committed yet."""
    run.add_message(
        0, "10:58:00", [camera("a1", event("10:55:00")), camera("a3", event("10:55:01"))]
    )


@pytest.mark.parametrize("archived", [True, False])
@pytest.mark.parametrize("counted", [True, False])
def test_on_a_running_system_what_is_not_committed_may_be_there_or_not(
    check: Callable[[SmallRun], Verdict], archived: bool, counted: bool
) -> None:
    run = small_run()
    before = list(run.archive)
    a_later_sighting(run)
    if not archived:
        run.archive = before
    if counted:
        run.counts += [(("94304", *TEN), 3), (("unknown", *TEN), 1)]
    verdict = check(run)
    assert failing(verdict) == {}
    (rows,) = [each for each in verdict.comparisons if each.what == "archive rows"]
    assert rows.expected == "15 to 17"


@pytest.mark.parametrize(
    ("count", "holds"), [(1, False), (2, True), (3, True), (4, False)], ids=str
)
def test_on_a_running_system_a_count_lies_between_committed_and_all_sightings(
    check: Callable[[SmallRun], Verdict], count: int, holds: bool
) -> None:
    run = small_run()
    a_later_sighting(run)
    run.counts.append((("94304", *TEN), count))
    verdict = check(run)
    assert verdict.holds is holds
    if not holds:
        assert f"expected 2 to 3, found {count}" in failing(verdict)["counts that differ"]


def test_rows_that_are_not_committed_may_not_be_false_or_doubled(
    check: Callable[[SmallRun], Verdict],
) -> None:
    run = small_run()
    a_later_sighting(run)
    run.archive.append(run.row("a3"))
    run.archive.append({**run.row("a3"), "device_id": "a9", "name": "x", "last_event": None})
    run.row("a1", -1)["name"] = "Cellar"
    examples = failing(check(run))
    assert "partition 0 offset 5 device_id a3" in examples["archive rows doubled"]
    assert "device_id a9" in examples["archive rows that nothing in nest-logs has"]
    assert "device_id a1 name: expected Hallway" in examples["archive values that differ"]


def test_a_later_record_can_make_a_sighting_count(check: Callable[[SmallRun], Verdict]) -> None:
    """b2's sighting was too late, until a record that is stamped 11:00 carries it too."""
    run = small_run()
    run.add_message(1, "11:00:00", [camera("b2", event("10:30:00"))])
    run.counts.append((("unknown", *TEN), 1))
    assert failing(check(run)) == {}


@pytest.mark.parametrize(
    ("sent", "counts"),
    [
        ("11:30:00", True),
        ("11:30:00.001", False),
        ("10:25:00", True),
        ("10:24:59.999", False),
    ],
)
def test_both_limits_of_on_time_are_inclusive(
    check: Callable[[SmallRun], Verdict], sent: str, counts: bool
) -> None:
    run = small_run()
    future = {"future": "b1"} if sent.startswith("10:24") else None
    run.add_message(1, sent, [camera("b1", event("10:30:00"))], wrong=future)
    run.committed = {"archive": run.ends(), "stats": run.ends()}
    if counts:
        run.counts.append((("01002", *TEN), 2))
    assert failing(check(run)) == {}


@pytest.fixture
def any_timestamp(fresh_topics: str) -> None:
    """A topic that takes every timestamp, as somebody else's broker may."""
    remove_guards(fresh_topics, "nest-logs")


OUT_OF_RANGE = [
    *(-(2**63) + 1, -4_000_000_000_000_000_000, -100_000_000_000_000, -2),
    *(253_402_300_800_000, 9_223_372_036_854_775, 9_223_372_036_854_776, 2**63 - 1),
]


@pytest.mark.usefixtures("any_timestamp")
def test_a_record_with_an_unusable_timestamp_is_malformed(
    check: Callable[[SmallRun], Verdict],
) -> None:
    run = small_run()
    seen = {**event("10:00:00")[0]}
    for name in ("web_url", "image_url"):
        del seen[name]
    value = {"devices": {"cameras": {"k": {"device_id": "a1", "last_event": seen}}}}
    for milliseconds in OUT_OF_RANGE:
        run.add_stamped(0, milliseconds, json.dumps(value).encode())
    run.committed = {"archive": run.ends(), "stats": run.ends()}
    verdict = check(run)
    assert failing(verdict) == {}
    assert found(verdict, "sightings counted") == "4"


@pytest.mark.usefixtures("any_timestamp")
def test_a_row_of_a_record_with_an_unusable_timestamp_must_be_in_quarantine_without_it(
    check: Callable[[SmallRun], Verdict],
) -> None:
    run = small_run()
    for milliseconds in OUT_OF_RANGE[:3]:
        run.add_stamped(0, milliseconds, b"{}")
    run.committed = {"archive": run.ends(), "stats": run.ends()}
    run.quarantine[-1]["timestamp"] = at("10:00:00")
    del run.quarantine[-2]
    run.archive.append({**run.row("a1"), "offset": 5, "timestamp": -(2**63)})
    assert failing(check(run)) == {
        "archive rows": "",
        "quarantine rows": "",
        "archive rows that nothing in nest-logs has": "partition 0 offset 5 device_id a1",
        "quarantine rows missing": "partition 0 offset 6 reason malformed",
        "quarantine values that differ": (
            "partition 0 offset 7 reason malformed timestamp: "
            "expected null, found 2026-11-20T10:00:00Z"
        ),
    }


@pytest.mark.usefixtures("any_timestamp")
def test_the_last_hour_that_a_timestamp_can_have_is_counted(
    check: Callable[[SmallRun], Verdict],
) -> None:
    run = small_run()
    moment = datetime(9999, 12, 31, 23, 59, 59, 999_000, tzinfo=UTC)
    message = camera("a1", event("10:00:00", start_time="9999-12-31T23:59:00Z"))
    message[1]["last_event"]["start_time"] = moment.replace(second=0, microsecond=0)
    run.add_message(0, "10:00:00", [message])
    run.records[-1] = (0, run.records[-1][1], moment)
    run.archive[-1]["timestamp"] = moment
    run.committed = {"archive": run.ends(), "stats": run.ends()}
    assert "94304 9999-12-31T23:00:00Z to " in failing(check(run))["counts missing"]


def test_instants_in_the_tables_may_be_any_number(check: Callable[[SmallRun], Verdict]) -> None:
    run = small_run()
    run.row("a1")["timestamp"] = -(2**63)
    run.row("a2")["last_is_online_change"] = 2**63 - 1
    assert failing(check(run))["archive values that differ"].count("7 µs") == 1


def test_what_cannot_be_read_is_an_error_for_people(fresh_topics: str, tmp_path: Path) -> None:
    settings = small_run().write(fresh_topics, tmp_path)
    locations = tmp_path / "locations.csv"
    for text, why in [
        ("device_id,city\na1,Palo Alto\n", "no column zip_code"),
        ("device_id,zip_code\na1,1\na1,2\n", "device_id a1 more than once"),
        ("device_id,zip_code\n,1\n", "Line 2 of .* has no device_id"),
    ]:
        locations.write_text(text)
        with pytest.raises(UserError, match=why):
            run_check(settings)
    with pytest.raises(UserError, match="NEST_DEVICE_LOCATIONS"):
        run_check(settings.model_copy(update={"device_locations": "nowhere.csv"}))
    locations.write_bytes("l\xe4nge,device_id,zip_code\n1,a1,1\n".encode("latin-1"))
    with pytest.raises(UserError, match="Save it as CSV in UTF-8"):
        run_check(settings)
    locations.write_text("device_id,zip_code\n")
    file = next((tmp_path / "lake" / "camera").glob("*.parquet"))
    kept = file.read_bytes()
    for damaged in (b"", kept[: len(kept) // 2]):
        file.write_bytes(damaged)
        with pytest.raises(UserError, match=r"camera/? cannot be read"):
            run_check(settings)
    file.unlink()
    with pytest.raises(
        UserError, match=r"(?s)camera/? cannot be read.*repair archive --new-tables"
    ):
        run_check(settings)
    (tmp_path / "lake" / "camera" / "_delta_log" / f"{1:020}.json").write_text("broken")
    with pytest.raises(UserError, match=r"camera cannot be read"):
        run_check(settings)


def test_progress_is_reported_up_to_all_records(fresh_topics: str, tmp_path: Path) -> None:
    progress: list[tuple[int, int, int]] = []
    settings = small_run().write(fresh_topics, tmp_path)
    uri = (tmp_path / "locations.csv").as_uri()
    settings = settings.model_copy(update={"device_locations": uri})
    verdict = run_check(settings, lambda *now: progress.append(now))
    assert verdict.holds
    records, total, values = progress[-1]
    assert (records, total) == (14, 14)
    assert 0 < values <= verdict.values


def test_it_makes_no_difference_in_how_many_chunks_the_topic_is_read(
    check: Callable[[SmallRun], Verdict], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("check.recount.CHUNK_RECORDS", 3)
    monkeypatch.setattr("check.positioned_table.DATA_FILES_AT_A_TIME", 1)
    run = small_run()
    run.archive += [run.row("c1"), {**run.row("a1"), "offset": 99}]
    verdict = check(run)
    assert set(failing(verdict)) == {
        "archive rows",
        "archive rows doubled",
        "archive rows that nothing in nest-logs has",
    }
    assert found(verdict, "archive rows") == "17"
    assert found(verdict, "sightings counted") == "4"


def test_rows_of_records_that_retention_has_removed_are_not_judged(
    fresh_topics: str, tmp_path: Path
) -> None:
    run = small_run()
    run.row("a1")["name"] = "Cellar"
    settings = run.write(fresh_topics, tmp_path)
    remove_records(fresh_topics, {0: 4, 2: 1})
    verdict = run_check(settings)
    assert failing(verdict) == {}
    assert found(verdict, "records of nest-logs recounted") == "9"
    assert verdict.notes[-2:] == [
        "records gone from nest-logs: 5; rows of theirs, which are not judged: 8; sightings in "
        "their archive rows may explain counts",
        "records gone from nest-logs that have no row in the archive (no camera, or never "
        "archived): 1; they explain no count",
    ]


def remove_records(bootstrap_servers: str, before: dict[int, int]) -> None:
    """Remove the records of nest-logs before an offset per partition, as retention does."""
    with open_admin(bootstrap_servers) as admin:
        admin.delete_records({TopicPartition("nest-logs", n): end for n, end in before.items()})


def test_a_removed_record_excuses_no_count_that_its_rows_do_not_explain(
    fresh_topics: str, tmp_path: Path
) -> None:
    run = small_run()
    run.counts += [(("01002", *TEN), 2000), (("95000", *TEN), 1)]
    settings = run.write(fresh_topics, tmp_path)
    remove_records(fresh_topics, {0: 2, 1: 1})
    examples = failing(run_check(settings))
    assert "expected 0 to 1, found 2000" in examples["counts that differ"]
    assert "95000" in examples["counts that no sighting has"]


def test_a_count_of_removed_records_that_were_never_archived_is_too_high(
    fresh_topics: str, tmp_path: Path
) -> None:
    run = small_run()
    run.archive = [row for row in run.archive if (row["partition"], row["offset"]) != (2, 0)]
    run.archive = [row for row in run.archive if (row["partition"], row["offset"]) != (2, 1)]
    settings = run.write(fresh_topics, tmp_path)
    remove_records(fresh_topics, {2: 3})
    assert "unknown" in failing(run_check(settings))["counts that no sighting has"]


def test_records_that_are_removed_while_the_topic_is_read_make_no_false_rows(
    fresh_topics: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("check.recount.CHUNK_RECORDS", 3)
    monkeypatch.setattr("contract.kafka.bounded_read.TIMEOUT_MS", 3_000)
    settings = small_run().write(fresh_topics, tmp_path)
    removed: list[int] = []

    def remove(done: int, total: int, values: int) -> None:
        if not removed:
            removed.append(done)
            remove_records(fresh_topics, {0: 5, 1: 3, 2: 2})

    assert failing(run_check(settings, remove)) == {}
    assert removed


def test_the_verdict_as_json_is_what_programs_read(check: Callable[[SmallRun], Verdict]) -> None:
    run = small_run()
    run.row("a1")["name"] = "Cellar"
    run.dirt = {(0, 4): "duplicate"}
    document = json.loads(json.dumps(check(run).as_json()))
    assert list(document) == ["holds", "comparisons", "notes", "dirt", "values"]
    assert document["holds"] is False
    (differing,) = [each for each in document["comparisons"] if not each["holds"]]
    assert differing == {
        "what": "archive values that differ",
        "expected": "0 of 450",
        "found": "1",
        "holds": False,
        "examples": [
            "partition 0 offset 0 device_id a1 name: expected Hallway (upstairs), found Cellar"
        ],
    }
    assert document["dirt"] == [
        {
            "kind": "duplicate",
            "becomes": "archived again, counted once",
            "injected": 1,
            "caught": 1,
        }
    ]
