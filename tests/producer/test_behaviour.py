"""People behave: the claims about nights, mornings, weekends, pets and outages, as statistics."""

from collections import Counter
from datetime import UTC, datetime
from itertools import pairwise

import pytest

from producer.world.activity import hour_of
from producer.world.camera_events import camera_events
from producer.world.changes import changes
from producer.world.homes import build_home
from producer.world.instants import to_epoch_ms
from producer.world.outages import outages
from producer.world.places import HOT_ZIP_CODES
from producer.world.time_units import DAY, HOUR

HOMES = [build_home(1, number) for number in range(1000)]
FRIDAY = datetime(2026, 11, 20, 8, tzinfo=UTC)  # midnight in California
HOURS = 72


@pytest.fixture(scope="module")
def seen() -> dict[tuple[str, int], Counter[str]]:
    """What was seen by zip code and hour after Friday's midnight: people, other, long, loud."""
    rows: dict[tuple[str, int], Counter[str]] = {}
    for hour in range(HOURS):
        slot = hour_of(to_epoch_ms(FRIDAY) + hour * HOUR)
        for dwelling in HOMES:
            row = rows.setdefault((dwelling.place.zip_code, hour), Counter())
            for camera in dwelling.cameras:
                for event in camera_events(camera, slot):
                    row["people" if event.has_person else "other"] += 1
                    row["long"] += event.is_long
                    row["sound only"] += event.has_sound and not event.has_motion
    return rows


def by_hour(seen: dict[tuple[str, int], Counter[str]], what: str) -> list[int]:
    return [sum(c[what] for (_, h), c in seen.items() if h == hour) for hour in range(HOURS)]


def test_nights_are_quiet_and_mornings_and_evenings_busy(seen: dict) -> None:
    friday = by_hour(seen, "people")[:24]
    night, morning, noon, evening = (sum(friday[start : start + 3]) for start in (1, 7, 12, 17))
    assert night < 0.1 * evening
    assert night < 0.15 * morning
    assert noon < 0.75 * morning
    assert noon < 0.55 * evening


def test_weekends_are_different(seen: dict) -> None:
    people = by_hour(seen, "people")
    friday, saturday = people[:24], people[24:48]
    assert saturday[7] < 0.6 * friday[7]
    assert saturday[11] > 1.5 * friday[11]
    assert max(range(24), key=friday.__getitem__) in (17, 18, 19)
    assert sum(saturday) == pytest.approx(sum(friday), rel=0.15)


def test_cars_and_pets_move_without_a_person(seen: dict) -> None:
    people, other = sum(by_hour(seen, "people")), sum(by_hour(seen, "other"))
    assert 0.10 < other / (people + other) < 0.30
    night = by_hour(seen, "other")[2] / by_hour(seen, "people")[2]
    assert night > 0.5  # at night it is mostly a cat
    assert 0 < sum(by_hour(seen, "sound only")) < 0.15 * other


def test_some_sights_last_long_enough_to_be_reported_twice(seen: dict) -> None:
    every = sum(by_hour(seen, "people")) + sum(by_hour(seen, "other"))
    assert 0.1 < sum(by_hour(seen, "long")) / every < 0.25


def test_from_any_of_24_start_hours_5_to_30_rows_exceed_1000(seen: dict) -> None:
    high = [hour for (_, hour), count in seen.items() if count["people"] > 1000]
    rows = [sum(start <= hour < start + 24 for hour in high) for start in range(0, 48, 2)]
    assert len(rows) == 24  # from Friday's midnight to Sunday's, a weekend among them
    assert all(5 <= count <= 30 for count in rows), rows


@pytest.mark.parametrize("seed", [2, 3])
def test_other_worlds_of_the_same_size_have_such_rows_too(seed: int) -> None:
    count: Counter[tuple[str, int]] = Counter()
    for number in range(1000):
        dwelling = build_home(seed, number)
        if dwelling.place.zip_code in HOT_ZIP_CODES:
            for hour in range(24):
                slot = hour_of(to_epoch_ms(FRIDAY) + hour * HOUR)
                people = (s.has_person for c in dwelling.cameras for s in camera_events(c, slot))
                count[dwelling.place.zip_code, hour] += sum(people)
    assert 5 <= sum(people > 1000 for people in count.values()) <= 30


def test_a_day_has_about_100_000_messages_whatever_the_start() -> None:
    messages = [
        sum(
            len(changes(dwelling, hour_of(to_epoch_ms(FRIDAY) + hour * HOUR))) for dwelling in HOMES
        )
        for hour in range(HOURS)
    ]
    days = [sum(messages[start : start + 24]) for start in range(0, 48, 2)]
    assert all(90_000 < day < 110_000 for day in days), days


def test_sights_of_a_camera_follow_each_other_within_the_hour() -> None:
    for dwelling in HOMES[:200]:
        for camera in dwelling.cameras:
            for hour in range(24):
                slot = hour_of(to_epoch_ms(FRIDAY) + hour * HOUR)
                found = camera_events(camera, slot)
                assert all(slot.start <= s.start < s.end < slot.end for s in found)
                assert all(a.end <= b.start for a, b in pairwise(found))
                assert found == camera_events(camera, slot)


def test_cameras_go_offline_and_come_back_some_for_long() -> None:
    day = to_epoch_ms(FRIDAY) // DAY
    lengths, troubled = [], Counter()
    for dwelling in HOMES:
        for camera in dwelling.cameras:
            for each in range(day, day + 14):
                begun = [o for o in outages(camera, each) if o.start // DAY == each]
                lengths += [o.end - o.start for o in begun]
                troubled[camera.device_id] += len(begun)
    cameras, spells = sum(len(dwelling.cameras) for dwelling in HOMES), len(lengths)
    assert 0.02 < spells / cameras / 14 < 0.08
    assert sum(length < 2 * HOUR for length in lengths) > 0.6 * spells
    assert sum(length > 6 * HOUR for length in lengths) > 0.05 * spells
    worst = sum(count for _, count in troubled.most_common(cameras // 20))
    assert worst > 0.3 * spells  # a few cameras have a bad connection


def test_an_outage_is_told_the_same_from_each_day_that_it_touches() -> None:
    day = to_epoch_ms(FRIDAY) // DAY
    checked = 0
    for dwelling in HOMES:
        for camera in dwelling.cameras:
            for outage in outages(camera, day):
                if outage.end // DAY > day:
                    (later,) = [o for o in outages(camera, day + 1) if o.start <= outage.start]
                    assert later.start <= outage.start
                    assert later.end >= outage.end
                    checked += 1
    assert checked > 5


def test_a_camera_that_is_offline_sees_nothing() -> None:
    checked = 0
    for dwelling in HOMES:
        for camera in dwelling.cameras:
            for outage in outages(camera, to_epoch_ms(FRIDAY) // DAY):
                for moment in range(outage.start - outage.start % HOUR, outage.end, HOUR):
                    if moment // DAY > to_epoch_ms(FRIDAY) // DAY:
                        break  # the next day knows more of its end
                    found = camera_events(camera, hour_of(moment))
                    assert not [s for s in found if s.start < outage.end and s.end > outage.start]
                    checked += 1
    assert checked > 100


def test_an_hour_depends_on_the_local_clock_and_its_summer_time() -> None:
    winter = hour_of(to_epoch_ms(datetime(2026, 11, 20, 2, 30, tzinfo=UTC)))  # 18:30
    summer = hour_of(to_epoch_ms(datetime(2026, 7, 17, 1, 30, tzinfo=UTC)))  # 18:30
    assert winter.people_factor == summer.people_factor
    assert winter.end - winter.start == HOUR
