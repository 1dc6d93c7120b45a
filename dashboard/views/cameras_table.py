"""The cameras of one zip code, as a table whose rows lead to one camera."""

from zoneinfo import ZoneInfo

import pandas as pd
import streamlit as st

from dashboard import sources
from dashboard.data.formatting import escape_markdown, format_number
from dashboard.data.lake.cameras import CamerasView
from dashboard.views.camera_choice import open_camera
from dashboard.widgets.clicks import clicked_row
from dashboard.widgets.table_columns import MOST_TABLE_ROWS, TABLE_HEIGHT, table_height, time_column

_STATES = {True: "online", False: "offline"}


def cameras_table(view: CamerasView, zip_code: str, zone: ZoneInfo) -> None:
    """Show the cameras of the view, which are those of the zip code, by their names."""
    place = escape_markdown(sources.device_places().name(zip_code))
    st.header(f"Cameras in {place}", anchor=False)
    if view.rows.empty:
        st.info("No camera there has sent a message.")
        return
    rows = camera_rows(view)
    clicked = clicked_row(
        rows.head(MOST_TABLE_ROWS),
        rows["device_id"].head(MOST_TABLE_ROWS).tolist(),
        "cameras of zip code",
        height=table_height(len(rows), TABLE_HEIGHT),
        hide_index=True,
        placeholder="",
        alt="The cameras of the zip code",
        column_config={
            "name": "Name",
            "state": "State",
            "last_event": time_column("Last event", zone),
            "timestamp": time_column("Last message", zone),
            "structure_id": "Home",
            "device_id": "Device",
        },
    )
    if clicked is not None:
        open_camera(clicked, zip_code)
    more = len(rows) - MOST_TABLE_ROWS
    others = f" {format_number(more)} more are not in the table." if more > 0 else ""
    st.caption(f"Choose a row to see what the camera has seen in the last 24 hours.{others}")


def camera_rows(view: CamerasView) -> pd.DataFrame:
    """Return a row for each camera: name, state, last_event and timestamp (UTC), and its ids."""
    states = view.rows["is_online"].map(_STATES).fillna("unknown")
    rows = view.rows.assign(state=states).sort_values(["name", "device_id"])
    return rows[["name", "state", "last_event", "timestamp", "structure_id", "device_id"]]
