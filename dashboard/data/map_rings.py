"""The zip codes that get a ring on the map: a sighting, or a lost camera, of the last seconds."""

from datetime import datetime, timedelta

from contract.alerts import ONLINE
from dashboard.data.alerts import AlertsView
from dashboard.data.live_view import LiveView
from dashboard.refresh_intervals import KAFKA_REFRESH_S

SIGHTING, LOST_CAMERA = "sighting", "lost camera"
SIGHTING_TIME = 2 * timedelta(seconds=KAFKA_REFRESH_S)
"""How long a sighting is new: two refreshes of the page."""
SIGHTING_AGE = timedelta(minutes=1)
"""One that began longer before it was sent is of the history that a new demo begins with."""
ALERT_TIME = timedelta(seconds=20)
"""How long an alert is new, beyond the longest time that it may wait for batches: they take some
seconds themselves, and then somebody is to see it."""


def ring_kinds(
    live: LiveView | None,
    alerts: AlertsView | None,
    now: datetime,
    alerts_interval: timedelta,
) -> dict[str, str]:
    """Return what each ring is for, by zip code; a lost camera outshines a sighting.

    ``alerts_interval`` is how long after its message an alert may come, see the settings.
    """
    found: dict[str, str] = {}
    if live:
        for sighting, sent_at in live.sightings_sent_at.items():
            is_of_now = sent_at - sighting.start_time <= SIGHTING_AGE
            if is_of_now and timedelta() <= now - sent_at <= SIGHTING_TIME:
                found[sighting.zip_code] = SIGHTING
    if alerts:
        for alert in alerts.alerts:
            age = now - alerts.noticed_at(alert)
            is_new = timedelta() <= age <= alerts_interval + ALERT_TIME
            if alert.alert != ONLINE and is_new:
                found[alert.zip_code] = LOST_CAMERA
    return found
