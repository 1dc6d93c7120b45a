"""The cameras that are offline, as a table and as a CSV file."""

from urllib.parse import urlencode
from zoneinfo import ZoneInfo

import streamlit as st

from contract.quantities import format_quantity
from dashboard import sources
from dashboard.data.csv_files import OFFLINE_CAMERAS_CSV
from dashboard.data.formatting import format_number
from dashboard.data.lake.cameras import CamerasView
from dashboard.data.offline_cameras import offline_rows
from dashboard.views.camera_choice import open_camera
from dashboard.widgets.clicks import clicked_row
from dashboard.widgets.downloads import csv_download
from dashboard.widgets.table_columns import MOST_TABLE_ROWS, TABLE_HEIGHT, table_height, time_column

_FIRST_COLUMNS = ["name", "offline_for", "offline_since", "city"]
"""What fits on a phone's screen."""


def offline_cameras(view: CamerasView, zone: ZoneInfo, zip_code: str | None = None) -> None:
    """Show the cameras that are offline, the latest change first; a row leads to its camera."""
    rows = offline_rows(view, sources.device_places())
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
    csv_download(OFFLINE_CAMERAS_CSV, urlencode({"zip": zip_code}) if zip_code else "")
