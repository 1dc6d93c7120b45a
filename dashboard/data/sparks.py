"""Where something has happened in the last seconds: a sighting, or a camera that is lost."""

from datetime import datetime, timedelta

from contract.alerts import ONLINE
from dashboard.data.alerts import AlertsView
from dashboard.data.live_view import LiveView

SIGHTING, LOST_CAMERA = "sighting", "lost camera"
SIGHTING_TIME = timedelta(seconds=4)
"""How long a sighting is new: two refreshes of the page."""
SIGHTING_AGE = timedelta(minutes=1)
"""One that began longer before it was sent is of the history that a new demo begins with."""
ALERT_TIME = timedelta(seconds=75)
"""The same for an alert, which comes up to a minute after the message that caused it: archive,
camera_status and alerts each wait for their own batch."""


def sparks(live: LiveView | None, alerts: AlertsView | None, now: datetime) -> dict[str, str]:
    """Return what is new by zip code; a lost camera outshines a sighting."""
    found: dict[str, str] = {}
    if live:
        for sighting, sent_at in live.sightings_sent_at.items():
            is_of_now = sent_at - sighting.start_time <= SIGHTING_AGE
            if is_of_now and timedelta() <= now - sent_at <= SIGHTING_TIME:
                found[sighting.zip_code] = SIGHTING
    if alerts:
        for alert in alerts.alerts:
            if alert.alert != ONLINE and timedelta() <= now - alert.reported_at <= ALERT_TIME:
                found[alert.zip_code] = LOST_CAMERA
    return found
