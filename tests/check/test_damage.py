"""The check itself is checked: whatever is damaged in a correct run is named."""

from collections.abc import Callable
from copy import deepcopy

import pytest

from check import Verdict
from tests.check.verdicts import failing
from tests.sample.small_run import SmallRun, at, small_run

pytestmark = pytest.mark.kafka

TEN, ELEVEN = ("10:00:00", "11:00:00"), ("11:00:00", "12:00:00")


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
    run.quarantine.remove(run.quarantined("camera"))


def wrong_reason(run: SmallRun) -> None:
    run.quarantined("field")["reason"] = "camera"


def wrong_detail(run: SmallRun) -> None:
    run.quarantined("field")["detail"] = "c1: is_online"


def no_detail(run: SmallRun) -> None:
    run.quarantined("malformed")["detail"] = None


def double_quarantined(run: SmallRun) -> None:
    run.quarantine.append(run.quarantined("future"))


def false_quarantined(run: SmallRun) -> None:
    position = {name: run.row("a1")[name] for name in ("partition", "offset", "timestamp")}
    run.quarantine.append({**position, "reason": "camera", "detail": "k0", "raw": "{}"})


def raw_shows_token(run: SmallRun) -> None:
    run.quarantined("malformed")["raw"] = (
        '{"metadata":{"access_token":"SECRET","url":"https://a/b?***'
    )


def raw_cut_short(run: SmallRun) -> None:
    run.quarantined("future")["raw"] = run.quarantined("future")["raw"][:200]


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
            "sightings that the counts lack": ["94304", "1 of 2"],
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
