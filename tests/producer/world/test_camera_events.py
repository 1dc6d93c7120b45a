"""What cameras see over a few days: nights, mornings, weekends and pets, as statistics."""

from collections import Counter
from datetime import UTC, datetime
from itertools import pairwise

import pytest

from contract.instants import to_epoch_ms
from producer.world.activity import hour_of
from producer.world.camera_events import camera_events
from producer.world.homes import build_home
from producer.world.outages import outages
from producer.world.places import HOT_ZIP_CODES
from producer.world.time_units import DAY, HOUR
from tests.producer.first_homes import first_homes

HOMES = first_homes()
FRIDAY = to_epoch_ms(datetime(2026, 11, 20, 8, tzinfo=UTC))  # midnight in California
HOURS = [hour_of(FRIDAY + number * HOUR) for number in range(72)]
Counts = dict[tuple[str, int], Counter[str]]


@pytest.fixture(scope="module")
def counts() -> Counts:
    """The events of each zip code and hour after Friday's midnight, by kind."""
    rows: Counts = {}
    for number, hour in enumerate(HOURS):
        for home in HOMES:
            row = rows.setdefault((home.place.zip_code, number), Counter())
            for camera in home.cameras:
                for event in camera_events(camera, hour):
                    row["person" if event.has_person else "other"] += 1
                    row["long"] += event.is_long
                    row["sound only"] += event.has_sound and not event.has_motion
    return rows


def by_hour(counts: Counts, kind: str) -> list[int]:
    return [
        sum(count[kind] for (_, number), count in counts.items() if number == hour)
        for hour in range(len(HOURS))
    ]


def test_nights_are_quiet_and_mornings_and_evenings_busy(counts: Counts) -> None:
    friday = by_hour(counts, "person")[:24]
    night, morning, noon, evening = (sum(friday[start : start + 3]) for start in (1, 7, 12, 17))
    assert night < 0.1 * evening
    assert night < 0.15 * morning
    assert noon < 0.75 * morning
    assert noon < 0.55 * evening


def test_weekends_are_different(counts: Counts) -> None:
    people = by_hour(counts, "person")
    friday, saturday = people[:24], people[24:48]
    assert saturday[7] < 0.6 * friday[7]
    assert saturday[11] > 1.5 * friday[11]
    assert max(range(24), key=friday.__getitem__) in (17, 18, 19)
    assert sum(saturday) == pytest.approx(sum(friday), rel=0.15)


def test_cars_and_pets_make_events_without_a_person(counts: Counts) -> None:
    people, others = by_hour(counts, "person"), by_hour(counts, "other")
    assert 0.10 < sum(others) / (sum(people) + sum(others)) < 0.30
    assert others[2] > 0.5 * people[2]  # at night it is mostly a cat
    assert 0 < sum(by_hour(counts, "sound only")) < 0.15 * sum(others)


def test_some_events_last_long_enough_to_be_reported_twice(counts: Counts) -> None:
    events = sum(by_hour(counts, "person")) + sum(by_hour(counts, "other"))
    assert 0.1 < sum(by_hour(counts, "long")) / events < 0.25


def test_from_any_of_24_start_hours_5_to_30_rows_exceed_1000(counts: Counts) -> None:
    high = [hour for (_, hour), count in counts.items() if count["person"] > 1000]
    rows = [sum(start <= hour < start + 24 for hour in high) for start in range(0, 48, 2)]
    assert len(rows) == 24  # from Friday's midnight to Sunday's, a weekend among them
    assert all(5 <= count <= 30 for count in rows), rows


@pytest.mark.parametrize("seed", [2, 3])
def test_other_worlds_of_the_same_size_have_such_rows_too(seed: int) -> None:
    people: Counter[tuple[str, int]] = Counter()
    for number in range(1000):
        home = build_home(seed, number)
        if home.place.zip_code in HOT_ZIP_CODES:
            for hour in HOURS[:24]:
                people[home.place.zip_code, hour.start] += sum(
                    event.has_person
                    for camera in home.cameras
                    for event in camera_events(camera, hour)
                )
    assert 5 <= sum(count > 1000 for count in people.values()) <= 30


def test_events_of_a_camera_follow_each_other_within_the_hour() -> None:
    for home in HOMES[:200]:
        for camera in home.cameras:
            for hour in HOURS[:24]:
                events = camera_events(camera, hour)
                assert all(hour.start <= e.start < e.end < hour.end for e in events)
                assert all(a.end <= b.start for a, b in pairwise(events))
                assert events == camera_events(camera, hour)


def test_a_camera_that_is_offline_sees_nothing() -> None:
    day, checked = FRIDAY // DAY, 0
    for home in HOMES:
        for camera in home.cameras:
            for outage in outages(camera, day):
                for moment in range(outage.start - outage.start % HOUR, outage.end, HOUR):
                    if moment // DAY > day:
                        break  # on the next day the outage may end later
                    events = camera_events(camera, hour_of(moment))
                    assert not [e for e in events if e.start < outage.end and e.end > outage.start]
                    checked += 1
    assert checked > 100
