"""The newest alerts: cameras that went offline, came back or have gone silent."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

import pandas as pd
import streamlit as st

from contract.alerts import Alert
from contract.glossary import meaning
from contract.quantities import format_quantity
from dashboard import sources
from dashboard.data.alerts import WHAT_HAPPENED
from dashboard.data.formatting import format_seconds
from dashboard.views.camera_choice import open_camera
from dashboard.widgets.clicks import clicked_row
from dashboard.widgets.notices import show_source_status
from dashboard.widgets.table_columns import TABLE_HEIGHT, table_height, time_column


def camera_alerts(now: datetime, zone: ZoneInfo, zip_code: str | None = None) -> None:
    """Show the newest alerts: when, which camera, where, what, and what was before.

    With a zip code, those of its cameras. A row leads to its camera.
    """
    alerts = _alerts_under_title(now, zip_code)
    if not alerts:
        return
    rows = alert_rows(alerts)
    clicked = clicked_row(
        rows,
        [each.device_id for each in alerts],
        height=table_height(len(rows), TABLE_HEIGHT),
        hide_index=True,
        key="alerts",
        placeholder="",
        alt="The newest alerts",
        column_config=_columns(zone),
    )
    if clicked is not None:
        open_camera(clicked, zip_code)


def newest_alerts(now: datetime, zone: ZoneInfo, most: int) -> None:
    """Show at most so many alerts, the newest first, to be looked at only."""
    alerts = _alerts_under_title(now, None)
    if alerts:
        st.dataframe(
            alert_rows(alerts[:most])[["since", "what", "name", "zip_code", "city"]],
            height="content",
            hide_index=True,
            placeholder="",
            alt="The newest alerts",
            column_config=_columns(zone),
        )


def _alerts_under_title(now: datetime, zip_code: str | None) -> list[Alert]:
    """Show the title, and why there are no alerts; return those of a zip code or all."""
    st.header("Alerts", anchor=False, help=meaning("alert"))
    snapshot = sources.alerts().read()
    with st.container():
        show_source_status(snapshot, now)
    view = snapshot.value
    if view is None:
        return []
    if view.unreadable:
        count = format_quantity(view.unreadable, "record")
        st.caption(f"{count} of nest-camera-alerts cannot be read and are left out.")
    alerts = [each for each in view.alerts if zip_code in (None, each.zip_code)]
    if not alerts:
        st.info("There are no alerts.", icon=":material/notifications_off:")
    return alerts


def _columns(zone: ZoneInfo) -> dict[str, Any]:
    return {
        "since": time_column("Since", zone),
        "what": "What",
        "name": "Camera",
        "zip_code": "Zip code",
        "city": "City",
        "before": "Before that",
        "reported_at": time_column("Message", zone),
        "device_id": "Device",
    }


def alert_rows(alerts: Sequence[Alert]) -> pd.DataFrame:
    """Return a row for each alert, in their order."""
    cities = sources.device_places().cities
    return pd.DataFrame(
        {
            "since": [each.since for each in alerts],
            "what": [WHAT_HAPPENED[each.alert] for each in alerts],
            "name": [each.name for each in alerts],
            "zip_code": [each.zip_code for each in alerts],
            "city": [cities.get(each.zip_code) for each in alerts],
            "before": [before(each) for each in alerts],
            "reported_at": [each.reported_at for each in alerts],
            "device_id": [each.device_id for each in alerts],
        }
    )


def before(alert: Alert) -> str:
    """Return for how long the camera had been otherwise, where that is known."""
    durations = {
        "online": alert.was_online_for_s,
        "offline": alert.was_offline_for_s,
        "silent": alert.was_silent_for_s,
    }
    return ", ".join(
        f"{state} for {format_seconds(seconds)}"
        for state, seconds in durations.items()
        if seconds is not None
    )
