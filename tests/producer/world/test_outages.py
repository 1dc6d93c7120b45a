"""Cameras are offline now and then."""

from collections import Counter
from datetime import UTC, datetime

from contract.instants import to_epoch_ms
from producer.world.outages import outages
from producer.world.time_units import DAY, HOUR
from tests.producer.first_homes import first_homes

HOMES = first_homes()
DAY_NUMBER = to_epoch_ms(datetime(2026, 11, 20, tzinfo=UTC)) // DAY


def test_cameras_go_offline_and_come_back_some_for_long() -> None:
    lengths: list[int] = []
    by_camera: Counter[str] = Counter()
    for home in HOMES:
        for camera in home.cameras:
            for day in range(DAY_NUMBER, DAY_NUMBER + 14):
                begun = [o for o in outages(camera, day) if o.start // DAY == day]
                lengths += [o.end - o.start for o in begun]
                by_camera[camera.device_id] += len(begun)
    cameras, count = len(by_camera), len(lengths)
    assert 0.02 < count / cameras / 14 < 0.08
    assert sum(length < 2 * HOUR for length in lengths) > 0.6 * count
    assert sum(length > 6 * HOUR for length in lengths) > 0.05 * count
    most = sum(outages for _, outages in by_camera.most_common(cameras // 20))
    assert most > 0.3 * count  # a few cameras have a bad connection


def test_an_outage_is_the_same_on_each_day_that_it_touches() -> None:
    checked = 0
    for home in HOMES:
        for camera in home.cameras:
            for outage in outages(camera, DAY_NUMBER):
                if outage.end // DAY > DAY_NUMBER:
                    next_day = outages(camera, DAY_NUMBER + 1)
                    (later,) = [o for o in next_day if o.start <= outage.start]
                    assert later.start <= outage.start
                    assert later.end >= outage.end
                    checked += 1
    assert checked > 5
