"""The cameras that are offline, as a table and as a CSV file."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pandas as pd
import streamlit as st

from contract.quantities import format_quantity
from dashboard import sources
from dashboard.data.formatting import format_number, format_seconds
from dashboard.data.lake.cameras import CamerasView
from dashboard.views.camera_choice import open_camera
from dashboard.widgets.clicks import clicked_row
from dashboard.widgets.downloads import csv_download, utc_csv
from dashboard.widgets.table_columns import MOST_TABLE_ROWS, TABLE_HEIGHT, table_height, time_column

_FIRST_COLUMNS = ["name", "offline_for", "offline_since", "city"]
"""What fits on a phone's screen."""


def offline_cameras(view: CamerasView, zone: ZoneInfo, zip_code: str | None = None) -> None:
    """Show the cameras that are offline, the latest change first; a row leads to its camera."""
    rows = offline_rows(view)
    st.header(
        "Offline cameras",
        anchor=False,
        help="A home sends the state of all its cameras, also of those that are offline: the "
        "last message about a camera can be newer than its last sign of life.",
    )
    if rows.empty:
        if unknown := len(view.rows) - view.online:
            st.info(
                f"No camera is known to be offline. Of {format_quantity(unknown, 'camera')} the "
                "state is not known.",
                icon=":material/help:",
            )
        else:
            st.success("All cameras are online.", icon=":material/check_circle:")
        return
    clicked = clicked_row(
        rows.head(MOST_TABLE_ROWS),
        rows["device_id"].head(MOST_TABLE_ROWS).tolist(),
        height=table_height(len(rows), TABLE_HEIGHT),
        hide_index=True,
        key="offline",
        placeholder="",
        alt="The cameras that are offline",
        column_order=[*_FIRST_COLUMNS, *(str(name) for name in rows if name not in _FIRST_COLUMNS)],
        column_config={
            "name": st.column_config.TextColumn("Camera", width=140),
            "zip_code": "Zip code",
            "city": "City",
            "offline_since": time_column("Offline since", zone),
            "offline_for": st.column_config.TextColumn("Offline for", width=90),
            "last_report": time_column("Home's last message", zone),
            "last_event": time_column("Last event", zone),
            "structure_id": "Home",
            "device_id": "Device",
            "software_version": "Software",
        },
    )
    if clicked is not None:
        open_camera(clicked, zip_code)
    if len(rows) > MOST_TABLE_ROWS:
        st.caption(
            f"The table has the first {format_number(MOST_TABLE_ROWS)} of "
            f"{format_number(len(rows))} cameras. The download has all cameras."
        )
    csv_download("offline_cameras.csv", lambda: offline_csv(rows))


def offline_rows(view: CamerasView) -> pd.DataFrame:
    """Return what an operator needs to know of the cameras that are offline, one row each."""
    newest = pd.Timestamp(view.newest or datetime.now(UTC))
    places = sources.device_places()
    rows = view.offline.merge(places.devices, on="device_id", how="left")
    # A change may be dated after the newest report: clocks differ.
    offline_seconds = (newest - rows["last_is_online_change"]).dt.total_seconds().clip(lower=0)
    return pd.DataFrame(
        {
            "name": rows["name_long"].fillna(rows["where_name"]),
            "zip_code": rows["zip_code"],
            "city": rows["zip_code"].map(places.cities),
            "offline_since": rows["last_is_online_change"],
            "offline_for": [
                "unknown" if pd.isna(seconds) else format_seconds(seconds)
                for seconds in offline_seconds
            ],
            "last_report": rows["timestamp"],
            "last_event": rows["last_event"],
            "structure_id": rows["structure_id"],
            "device_id": rows["device_id"],
            "software_version": rows["software_version"],
        }
    )


def offline_csv(rows: pd.DataFrame) -> bytes:
    """Return the cameras as CSV with times in UTC."""
    time_columns = ("offline_since", "last_report", "last_event")
    return utc_csv(rows.drop(columns="offline_for"), time_columns)
