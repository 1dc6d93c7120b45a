"""The newest sightings on the page Live, as they come."""

from dataclasses import asdict
from zoneinfo import ZoneInfo

import pandas as pd
import streamlit as st

from contract.sightings import Sighting
from dashboard import sources
from dashboard.views.camera_choice import open_camera
from dashboard.widgets.clicks import clicked_row
from dashboard.widgets.table_columns import table_height, time_column


def sightings_table(sightings: tuple[Sighting, ...], zone: ZoneInfo) -> None:
    """Show when and where a person was seen last, the newest first; a row leads to its camera."""
    st.header("Latest sightings", anchor=False)
    if not sightings:
        st.caption(
            "There is no sighting in nest-sightings yet. The pipeline sends each one as it "
            "happens, unless NEST_SIGHTINGS is off."
        )
        return
    rows = pd.DataFrame(list(map(asdict, sightings)))
    rows["city"] = rows["zip_code"].map(sources.device_places().cities)
    clicked = clicked_row(
        rows[["start_time", "zip_code", "city", "device_id"]],
        rows["device_id"].tolist(),
        height=table_height(len(rows)),
        hide_index=True,
        key="sightings",
        placeholder="",
        alt="The newest sightings",
        column_config={
            "start_time": time_column("Person seen", zone),
            "zip_code": "Zip code",
            "city": "City",
            "device_id": "Device",
        },
    )
    if clicked is not None:
        open_camera(clicked)
