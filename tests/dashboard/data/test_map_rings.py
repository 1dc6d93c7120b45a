"""The rings on the map show what happens in the moment that it does."""

from datetime import UTC, datetime, timedelta

from contract.alerts import Alert, Kind
from contract.settings import Settings
from contract.sightings import Sighting
from dashboard.data.alerts import AlertsView
from dashboard.data.live_view import LiveView
from dashboard.data.map_rings import (
    ALERT_TIME,
    LOST_CAMERA,
    SIGHTING,
    SIGHTING_AGE,
    SIGHTING_TIME,
    ring_kinds,
)

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
SECOND = timedelta(seconds=1)
INTERVAL = timedelta(seconds=40)


def live(*zip_codes: str, sent_at: datetime = NOON) -> LiveView:
    return LiveView(sightings_sent_at={Sighting("a", each, NOON): sent_at for each in zip_codes})


def alerts(zip_code: str, kind: Kind, reported_at: datetime = NOON) -> AlertsView:
    return AlertsView((Alert("1", "a", kind, NOON, reported_at, 0, 0, zip_code),), {"1": NOON})


def rings(live: LiveView | None, alerts: AlertsView | None, now: datetime) -> dict[str, str]:
    return ring_kinds(live, alerts, now, INTERVAL)


def test_a_sighting_is_new_for_some_seconds() -> None:
    assert rings(None, None, NOON) == {}
    assert rings(live("94304", "94043"), None, NOON) == {"94304": SIGHTING, "94043": SIGHTING}
    assert rings(live("94304"), None, NOON + SIGHTING_TIME) == {"94304": SIGHTING}
    assert rings(live("94304"), None, NOON + SIGHTING_TIME + SECOND) == {}


def test_a_sighting_of_the_past_is_not_new_when_it_is_sent() -> None:
    sent_at = NOON + SIGHTING_AGE + SECOND
    assert rings(live("94304", sent_at=sent_at), None, sent_at) == {}


def test_a_lost_camera_outshines_a_sighting_and_one_that_came_back_does_not() -> None:
    assert rings(live("94304"), alerts("94304", "offline"), NOON) == {"94304": LOST_CAMERA}
    assert rings(None, alerts("94304", "offline"), NOON + INTERVAL + ALERT_TIME) == {
        "94304": LOST_CAMERA
    }
    assert rings(None, alerts("94304", "offline"), NOON + INTERVAL + ALERT_TIME + SECOND) == {}
    assert rings(live("94304"), alerts("94304", "online"), NOON) == {"94304": SIGHTING}


def test_a_camera_is_lost_when_its_silence_is_noticed_hours_after_its_last_message() -> None:
    silent = alerts("94304", "silent", reported_at=NOON - Settings().silent_after)
    assert rings(None, silent, NOON) == {"94304": LOST_CAMERA}
    assert rings(None, silent, NOON + INTERVAL + ALERT_TIME + SECOND) == {}


def test_an_alert_that_waited_for_every_batch_is_new_still() -> None:
    settings = Settings()
    waited = settings.archive_max_delay + settings.status_trigger + settings.alerts_trigger
    now = NOON + waited + 5 * SECOND  # the batches take some time, too
    found = ring_kinds(None, alerts("94304", "offline"), now, settings.alerts_interval)
    assert found == {"94304": LOST_CAMERA}
