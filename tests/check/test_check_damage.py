"""The check itself is checked: a correct run holds, and whatever is damaged is named."""

import json
import shutil
from collections.abc import Callable
from copy import deepcopy
from io import StringIO
from pathlib import Path

import pytest
from kafka import KafkaAdminClient, TopicPartition
from rich.console import Console

from check import Verdict, run_check
from check.dirt import Dirt
from check.table import render
from contract.errors import UserError
from tests.check.small_run import SmallRun, at, camera, event, small_run

pytestmark = pytest.mark.kafka

TEN, ELEVEN = ("10:00:00", "11:00:00"), ("11:00:00", "12:00:00")


@pytest.fixture
def check(fresh_topics: str, tmp_path: Path) -> Callable[[SmallRun], Verdict]:
    return lambda run: run_check(run.lay(fresh_topics, tmp_path))


def failing(verdict: Verdict) -> dict[str, str]:
    """What does not hold, with its examples on one line; the numbers of rows left out."""
    assert verdict.holds == all(each.holds for each in verdict.comparisons)
    return {each.what: "; ".join(each.examples) for each in verdict.comparisons if not each.holds}


def found(verdict: Verdict, what: str) -> str:
    (value,) = [each.found for each in verdict.comparisons if each.what == what]
    return value


def test_a_correct_run_holds(check: Callable[[SmallRun], Verdict]) -> None:
    verdict = check(small_run())
    assert failing(verdict) == {}
    assert verdict.holds
    assert found(verdict, "records of nest-logs recounted") == "14"
    assert found(verdict, "archive rows") == "15"
    assert found(verdict, "quarantine rows") == "6"
    assert found(verdict, "counts (zip code and hour)") == "3"
    assert found(verdict, "sightings counted") == "4"
    assert verdict.notes == [
        "distinct sightings: 4 on time (1 of them unplaced), 1 too late, 1 from the future"
    ]


def remove_row(run: SmallRun) -> None:
    run.archive.remove(run.row("a2", 1))


def double_row(run: SmallRun) -> None:
    run.archive.append(run.row("b1", 1))


def change_name(run: SmallRun) -> None:
    run.row("a1")["name"] = "Cellar"


def change_flag(run: SmallRun) -> None:
    run.row("a1")["is_online"] = None


def change_instant(run: SmallRun) -> None:
    run.row("a1")["last_is_online_change"] = at("00:00:00.000001")


def change_record_time(run: SmallRun) -> None:
    run.row("b2")["timestamp"] = at("12:00:00.001")


def change_event(run: SmallRun) -> None:
    event = run.row("b2")["last_event"]
    run.row("b2")["last_event"] = {**event, "has_sound": True, "end_time": at("12:30:00.123")}


def lose_event(run: SmallRun) -> None:
    run.row("b2")["last_event"] = None


def empty_event_for_none(run: SmallRun) -> None:
    run.row("a2")["last_event"] = {}


def change_zone(run: SmallRun) -> None:
    run.row("a2")["activity_zones"] = [{"name": "Walkway", "id": "1"}]


def add_zone(run: SmallRun) -> None:
    run.row("a2")["activity_zones"] = [{"name": "Walkway", "id": "244083"}, None]


def empty_list_for_null_element(run: SmallRun) -> None:
    run.row("b2")["last_event"]["activity_zone_ids"] = ["1"]


def keep_credential(run: SmallRun) -> None:
    run.row("a2")["snapshot_url"] += "?auth=c.verysecret"


def keep_user(run: SmallRun) -> None:
    run.row("b2")["last_event"]["image_url"] = "https://user:pass@www.dropcam.com/image"


def shift_offset(run: SmallRun) -> None:
    run.row("c1")["offset"] += 2


def shift_to_record_without_cameras(run: SmallRun) -> None:
    run.row("c1").update(partition=3, offset=0)


def swap_rows(run: SmallRun) -> None:
    first, other = run.row("b1"), run.row("c1")
    for column in ("partition", "offset"):
        first[column], other[column] = other[column], first[column]


def beyond_topic(run: SmallRun) -> None:
    run.archive.append({**run.row("a1"), "offset": 99})


def beyond_partitions(run: SmallRun) -> None:
    run.archive.append({**run.row("a1"), "partition": 9})


def without_position(run: SmallRun) -> None:
    run.archive.append({**run.row("a1"), "offset": None})


def below_zero(run: SmallRun) -> None:
    run.archive.append({**run.row("a1"), "offset": -1})


def archive_malformed(run: SmallRun) -> None:
    run.archive.append({**run.row("a1"), "offset": 2})


def empty_lake(run: SmallRun) -> None:
    run.archive.clear()
    run.quarantine.clear()


def change_count(run: SmallRun) -> None:
    run.counts.append((("01002", *TEN), 2))


def lower_count(run: SmallRun) -> None:
    run.counts[2] = (("94304", *TEN), 1)


def stale_count(run: SmallRun) -> None:
    run.counts.append(run.counts[0])


def remove_count(run: SmallRun) -> None:
    del run.counts[1]


def tombstone(run: SmallRun) -> None:
    run.counts.append((("01002", *TEN), None))


def unreadable_instead_of_count(run: SmallRun) -> None:
    run.counts[1] = (("01002", *TEN), b"one")


def false_zip(run: SmallRun) -> None:
    run.counts.append((("1002", *TEN), 1))


def false_window(run: SmallRun) -> None:
    run.counts.append((("94304", "10:00:00", "12:00:00"), 2))


def false_zero(run: SmallRun) -> None:
    run.counts.append((("94304", *ELEVEN), 0))


def count_too_late(run: SmallRun) -> None:
    run.counts.append((("unknown", *TEN), 1))


def lose_quarantined(run: SmallRun) -> None:
    run.quarantine.remove(run.rejected("camera"))


def wrong_reason(run: SmallRun) -> None:
    run.rejected("field")["reason"] = "camera"


def wrong_detail(run: SmallRun) -> None:
    run.rejected("field")["detail"] = "c1: is_online"


def no_detail(run: SmallRun) -> None:
    run.rejected("malformed")["detail"] = None


def double_quarantined(run: SmallRun) -> None:
    run.quarantine.append(run.rejected("future"))


def false_quarantined(run: SmallRun) -> None:
    position = {name: run.row("a1")[name] for name in ("partition", "offset", "timestamp")}
    run.quarantine.append({**position, "reason": "camera", "detail": "k0", "raw": "{}"})


def raw_shows_token(run: SmallRun) -> None:
    run.rejected("malformed")["raw"] = '{"metadata":{"access_token":"SECRET","url":"https://a/b?***'


def raw_cut_short(run: SmallRun) -> None:
    run.rejected("future")["raw"] = run.rejected("future")["raw"][:200]


def raw_for_no_value(run: SmallRun) -> None:
    next(row for row in run.quarantine if row["raw"] is None)["raw"] = ""


DAMAGES: list[tuple[Callable[[SmallRun], None], dict[str, list[str]]]] = [
    (remove_row, {"archive rows missing": ["partition 0 offset 1 device_id a2"]}),
    (double_row, {"archive rows doubled": ["partition 1 offset 1 device_id b1"]}),
    (
        change_name,
        {
            "archive values that differ": [
                "partition 0 offset 0 device_id a1 name: expected Hallway (upstairs), found Cellar"
            ]
        },
    ),
    (change_flag, {"archive values that differ": ["is_online: expected True, found null"]}),
    (
        change_instant,
        {
            "archive values that differ": [
                "last_is_online_change: expected 2026-11-19T00:00:00Z, "
                "found 2026-11-20T00:00:00.000001Z"
            ]
        },
    ),
    (
        change_record_time,
        {
            "archive values that differ": [
                "device_id b2 timestamp: "
                "expected 2026-11-20T12:00:00Z, found 2026-11-20T12:00:00.001000Z"
            ]
        },
    ),
    (
        change_event,
        {
            "archive values that differ": [
                "device_id b2 last_event.has_sound: expected False, found True",
                "last_event.end_time: expected 2026-11-20T12:30:00.123456Z",
            ]
        },
    ),
    (lose_event, {"archive values that differ": ["device_id b2 last_event: expected ("]}),
    (empty_event_for_none, {"archive values that differ": ["last_event: expected null, found ("]}),
    (
        change_zone,
        {"archive values that differ": ["activity_zones[0].id: expected '244083', found 1"]},
    ),
    (add_zone, {"archive values that differ": ["device_id a2 activity_zones: expected"]}),
    (
        empty_list_for_null_element,
        {"archive values that differ": ["last_event.activity_zone_ids: expected ('1', None)"]},
    ),
    (
        keep_credential,
        {
            "archive values that differ": [
                "snapshot_url: expected https://www.dropcam.com/api/snapshot, "
                "found https://www.dropcam.com/api/snapshot?***"
            ]
        },
    ),
    (keep_user, {"archive values that differ": ["device_id b2 last_event.image_url: expected"]}),
    (
        shift_offset,
        {
            "archive rows missing": ["partition 2 offset 0 device_id c1"],
            "archive rows that nothing in nest-logs has": ["partition 2 offset 2 device_id c1"],
        },
    ),
    (
        shift_to_record_without_cameras,
        {
            "archive rows missing": ["partition 2 offset 0 device_id c1"],
            "archive rows that nothing in nest-logs has": ["partition 3 offset 0 device_id c1"],
        },
    ),
    (
        swap_rows,
        {
            "archive values that differ": [
                "partition 1 offset 0 device_id b1 device_id: expected b1, found c1",
                "partition 2 offset 0 device_id c1 device_id: expected c1, found b1",
            ],
        },
    ),
    (
        beyond_topic,
        {"archive rows that nothing in nest-logs has": ["partition 0 offset 99 device_id a1"]},
    ),
    (
        beyond_partitions,
        {"archive rows that nothing in nest-logs has": ["partition 9 offset 0 device_id a1"]},
    ),
    (
        without_position,
        {"archive rows that nothing in nest-logs has": ["partition 0 offset None device_id a1"]},
    ),
    (
        below_zero,
        {"archive rows that nothing in nest-logs has": ["partition 0 offset -1 device_id a1"]},
    ),
    (
        archive_malformed,
        {"archive rows that nothing in nest-logs has": ["partition 0 offset 2 device_id a1"]},
    ),
    (
        empty_lake,
        {
            "archive rows missing": ["offset 0 device_id "],  # of 15; which come first may vary
            "quarantine rows missing": ["offset 2 reason "],
        },
    ),
    (
        change_count,
        {
            "counts that differ": [
                "01002 2026-11-20T10:00:00Z to 2026-11-20T11:00:00Z: expected 1, found 2"
            ]
        },
    ),
    (
        lower_count,
        {
            "counts that differ": ["94304 2026-11-20T10:00:00Z", "expected 2, found 1"],
            "sightings dropped (watermark)": ["94304", "1 of 2"],
        },
    ),
    (stale_count, {"counts that differ": ["94304", "expected 2, found 1"]}),
    (remove_count, {"counts missing": ["01002 2026-11-20T10:00:00Z", "expected 1"]}),
    (tombstone, {"counts missing": ["01002"]}),
    (unreadable_instead_of_count, {"counts missing": ["01002"]}),
    (false_zip, {"counts that no sighting has": ["1002 ", "expected none, found 1"]}),
    (false_window, {"counts that no sighting has": ["T10:00:00Z to 2026-11-20T12:00:00Z"]}),
    (false_zero, {"counts that no sighting has": ["94304", "found 0"]}),
    (count_too_late, {"counts that no sighting has": ["unknown 2026-11-20T10:00:00Z"]}),
    (lose_quarantined, {"quarantine rows missing": ["partition 1 offset 2 reason camera"]}),
    (
        wrong_reason,
        {
            "quarantine values that differ": [
                "partition 2 offset 1 reason field reason: expected field, found camera"
            ]
        },
    ),
    (
        wrong_detail,
        {
            "quarantine values that differ": [
                "reason field detail: expected 'c1: is_online, c1: last_event.end_time', "
                "found c1: is_online"
            ]
        },
    ),
    (no_detail, {"quarantine values that differ": ["detail: expected some text, found null"]}),
    (double_quarantined, {"quarantine rows doubled": ["partition 2 offset 2 reason future"]}),
    (
        false_quarantined,
        {
            "quarantine rows that nothing in nest-logs has": ["partition 0 offset 0 reason camera"],
        },
    ),
    (raw_shows_token, {"quarantine values that differ": ["raw: ", "(shows a credential)"]}),
    (
        raw_cut_short,
        {"quarantine values that differ": ["raw: ", "(differs from character 198: expected '"]},
    ),
    (raw_for_no_value, {"quarantine values that differ": ["raw: expected null, found "]}),
]


@pytest.mark.parametrize(("damage", "named"), DAMAGES, ids=[d.__name__ for d, _ in DAMAGES])
def test_a_damage_is_named(
    check: Callable[[SmallRun], Verdict],
    damage: Callable[[SmallRun], None],
    named: dict[str, list[str]],
) -> None:
    run = small_run()
    run.archive, run.quarantine = deepcopy(run.archive), deepcopy(run.quarantine)
    damage(run)
    verdict = check(run)
    assert not verdict.holds
    examples = failing(verdict)
    for what, parts in named.items():
        for part in parts:
            assert part in examples[what]
    kinds = ("missing", "doubled", "nothing in", "differ", "no sighting")
    others = {what for what in examples if any(kind in what for kind in kinds)} - named.keys()
    assert not others
    assert "SECRET" not in str(verdict.as_json())
    assert "verysecret" not in str(verdict.as_json())


@pytest.mark.parametrize("table", ["camera", "quarantine"])
def test_a_table_that_is_gone_is_named(fresh_topics: str, tmp_path: Path, table: str) -> None:
    settings = small_run().lay(fresh_topics, tmp_path)
    shutil.rmtree(tmp_path / "lake" / table)
    examples = failing(run_check(settings))
    assert f"table {table}" in examples
    assert f"{'archive' if table == 'camera' else table} rows missing" in examples


def test_an_empty_topic_proves_nothing(fresh_topics: str, tmp_path: Path) -> None:
    verdict = run_check(SmallRun(locations="device_id,zip_code\n").lay(fresh_topics, tmp_path))
    assert set(failing(verdict)) == {
        "records of nest-logs recounted",
        "rows, values and counts compared",
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
    assert "1 records of nest-camera-stats remove a count: offset 6: 95000 2026-11-20T10" in notes


def a_later_sighting(run: SmallRun) -> None:
    """One more message, which neither query has committed yet."""
    run.message(0, "10:58:00", [camera("a1", event("10:55:00")), camera("a3", event("10:55:01"))])


@pytest.mark.parametrize("archived", [True, False])
@pytest.mark.parametrize("counted", [True, False])
def test_on_a_live_system_what_is_not_committed_may_be_there_or_not(
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
def test_a_live_count_lies_between_the_recounts_up_to_both_ends(
    check: Callable[[SmallRun], Verdict], count: int, holds: bool
) -> None:
    run = small_run()
    a_later_sighting(run)
    run.counts.append((("94304", *TEN), count))
    verdict = check(run)
    assert verdict.holds is holds
    if not holds:
        assert f"expected 2 to 3, found {count}" in failing(verdict)["counts that differ"]


def test_nothing_false_or_doubled_is_let_pass_beyond_what_is_committed(
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
    """b2's sighting came too late, until a record of 11:00, sent after it, carries it too."""
    run = small_run()
    run.message(1, "11:00:00", [camera("b2", event("10:30:00"))])
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
    run.message(1, sent, [camera("b1", event("10:30:00"))], wrong=future)
    run.committed = {"archive": run.ends(), "stats": run.ends()}
    if counts:
        run.counts.append((("01002", *TEN), 2))
    assert failing(check(run)) == {}


def test_what_cannot_be_read_at_all_is_an_error_for_people(
    fresh_topics: str, tmp_path: Path
) -> None:
    settings = small_run().lay(fresh_topics, tmp_path)
    places = tmp_path / "places.csv"
    for text, why in [
        ("device_id,city\na1,Palo Alto\n", "no column zip_code"),
        ("device_id,zip_code\na1,1\na1,2\n", "name a device twice"),
        ("device_id,zip_code\n,1\n", "Line 2 of .* has no device_id"),
    ]:
        places.write_text(text)
        with pytest.raises(UserError, match=why):
            run_check(settings)
    with pytest.raises(UserError, match="NEST_DEVICE_LOCATIONS"):
        run_check(settings.model_copy(update={"device_locations": "nowhere.csv"}))
    places.write_text("device_id,zip_code\n")
    file = next((tmp_path / "lake" / "camera").glob("*.parquet"))
    kept = file.read_bytes()
    for damaged in (b"", kept[: len(kept) // 2]):
        file.write_bytes(damaged)
        with pytest.raises(UserError, match=r"camera/? cannot be read"):
            run_check(settings)
    file.unlink()
    with pytest.raises(UserError, match=r"camera/? cannot be read"):
        run_check(settings)
    (tmp_path / "lake" / "camera" / "_delta_log" / f"{1:020}.json").write_text("broken")
    with pytest.raises(UserError, match=r"camera cannot be read"):
        run_check(settings)


def test_progress_is_told(fresh_topics: str, tmp_path: Path) -> None:
    seen: list[tuple[int, int]] = []
    settings = small_run().lay(fresh_topics, tmp_path)
    uri = (tmp_path / "places.csv").as_uri()
    settings = settings.model_copy(update={"device_locations": uri})
    assert run_check(settings, lambda done, total: seen.append((done, total))).holds
    assert seen[-1] == (14, 14)


def test_it_makes_no_difference_in_how_many_pieces_the_topic_is_read(
    check: Callable[[SmallRun], Verdict], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("check.recount.PIECE", 3)
    monkeypatch.setattr("check.snapshot._FILES_AT_A_TIME", 1)
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


def test_records_that_are_gone_from_the_topic_are_not_judged(
    fresh_topics: str, tmp_path: Path
) -> None:
    run = small_run()
    run.row("a1")["name"] = "Cellar"
    settings = run.lay(fresh_topics, tmp_path)
    admin = KafkaAdminClient(bootstrap_servers=fresh_topics)
    admin.delete_records({TopicPartition("nest-logs", 0): 4, TopicPartition("nest-logs", 2): 1})
    admin.close()
    verdict = run_check(settings)
    assert failing(verdict) == {}
    assert found(verdict, "records of nest-logs recounted") == "9"
    assert verdict.notes[-1] == (
        "5 records are gone from nest-logs: 8 rows of theirs are not judged, "
        "and counts are only judged not to be too low"
    )


def test_dirt_that_was_injected_is_held_against_what_was_caught(
    check: Callable[[SmallRun], Verdict],
) -> None:
    run = small_run()
    run.dirt = {(0, 2): "malformed", (0, 4): "duplicate", (2, 2): "future", (3, 1): "malformed"}
    run.dirt |= {(1, 0): "late", (2, 0): "unplaced", (0, 0): "news"}
    run.quarantine.remove(run.rejected("malformed"))
    run.archive.remove(run.row("b1"))
    told = {each.kind: (each.injected, each.caught) for each in check(run).dirt}
    assert told == {
        "duplicate": (1, 1),
        "future": (1, 1),
        "late": (1, 0),
        "malformed": (2, 1),
        "news": (1, 1),
        "unplaced": (1, 1),
    }


def test_dirt_of_very_many_kinds_is_put_together() -> None:
    dirt = Dirt()
    for number in range(100):
        dirt.take(f"kind {number}", [], [], [])
    assert len(dirt.by_kind) == 21
    assert dirt.by_kind["other"].injected == 80


def test_a_verdict_can_be_shown_and_written(check: Callable[[SmallRun], Verdict]) -> None:
    run = small_run()
    run.row("a1")["name"] = "[red]Cellar[/red]"
    verdict = check(run)
    console = Console(width=200, record=True, file=StringIO())
    console.print(render(verdict))
    text = console.export_text()
    assert "The check does not hold" in text
    assert "expected Hallway (upstairs), found [red]Cellar[/red]" in text
    assert "4 on time" in text
    written = json.loads(json.dumps(verdict.as_json()))
    assert written["holds"] is False
    (differing,) = [c for c in written["comparisons"] if c["what"] == "archive values that differ"]
    assert differing == {
        "what": "archive values that differ",
        "expected": "0 of 450",
        "found": "1",
        "holds": False,
        "examples": [
            "partition 0 offset 0 device_id a1 name: "
            "expected Hallway (upstairs), found [red]Cellar[/red]"
        ],
    }
