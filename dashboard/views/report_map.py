"""The selected zip codes on a map."""

from collections.abc import Mapping
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pandas as pd
import streamlit as st

from contract.quantities import format_quantity
from contract.stats import UNPLACED
from dashboard import sources
from dashboard.charts.bands import OFFLINE_COLOR
from dashboard.charts.chart_template import ChartHeight
from dashboard.charts.zip_map import zip_map
from dashboard.data.aggregates import counts_by_zip_code
from dashboard.data.counts import CountsView
from dashboard.data.map_rings import LOST_CAMERA, SIGHTING, ring_kinds
from dashboard.views.camera_choice import open_zip_code
from dashboard.widgets.clicks import clicked_zip_code
from dashboard.widgets.hour_player import HOURS, choose_hour, hour_labels
from dashboard.widgets.notices import show_verbatim
from dashboard.widgets.viewer import viewer_chart_theme

HEIGHT = 420
_RING_COLORS = {SIGHTING: "#f59e0b", LOST_CAMERA: OFFLINE_COLOR}


def report_map_by_hour(
    view: CountsView, selected: CountsView, now: datetime, zone: ZoneInfo
) -> datetime | None:
    """Show the map with the slider of its newest hours; return the hour that the viewer has chosen.

    The map of one hour has the same scales as that of any other.
    """
    title = st.container()
    hours = selected.newest_hours(HOURS, now)
    hour = choose_hour(hours, now, zone)
    with title:
        of_hour = f", {hour_labels(hours, zone)[hour]}" if hour else ""
        st.header(f"Sightings by zip code{of_hour}", anchor=False)
    if hour is None:
        draw_map(view, selected, rings=current_rings(now))
    else:
        of_film = selected.rows[selected.rows["start"].isin(hours)]
        rows = of_film[of_film["start"] == hour]
        draw_map(view, CountsView(rows, selected.last_update), largest=int(of_film["count"].max()))
    return hour


def current_rings(now: datetime) -> dict[str, str]:
    """Return the colour of the ring around each zip code where something has just happened."""
    live, alerts = sources.live().read().value, sources.alerts().read().value
    kinds = ring_kinds(live, alerts, now, sources.settings().alerts_interval)
    return {zip_code: _RING_COLORS[kind] for zip_code, kind in kinds.items()}


def report_map(view: CountsView, selected: CountsView, height: ChartHeight = "content") -> None:
    """Show the map of all selected hours, if asked as high as the place that it stands in."""
    st.header("Sightings by zip code", anchor=False)
    draw_map(view, selected, rings=current_rings(datetime.now(UTC)), height=height)


def draw_map(
    view: CountsView,
    selected: CountsView,
    *,
    rings: Mapping[str, str] | None = None,
    largest: int | None = None,
    height: ChartHeight = "content",
) -> None:
    """Show the selected zip codes on the map, and name how many have no coordinates.

    The map holds the zip codes of the whole ``view``. ``rings`` are colours by zip code. The scales
    end at the count ``largest``, by default at the largest of all that are shown.
    """
    places = sources.device_places()
    if places.problem:
        st.info(
            "**There is no map.** The map needs the columns zip_code, latitude and longitude in "
            "the device locations.",
            icon=":material/location_off:",
        )
        show_verbatim(places.problem)
        return
    counts = counts_by_zip_code(selected.rows)
    counts["zip_code"] = counts["zip_code"].astype(str)
    on_map = counts.merge(places.zip_codes, on="zip_code")
    on_map["place"] = on_map["zip_code"].map(places.name)
    on_map["ring"] = on_map["zip_code"].map(rings or {}).fillna("")
    all_places = places.zip_codes[places.zip_codes["zip_code"].isin(view.zip_codes)]
    if all_places.empty or (on_map.empty and largest is None):
        st.info("The device locations have no coordinates for the selected zip codes.")
        return
    clicked = clicked_zip_code(
        zip_map(on_map, all_places, viewer_chart_theme(), HEIGHT, largest),
        key="map",
        height=height,
        alt="A map with a circle for each zip code, larger the more sightings it has; the table "
        "and the charts have the same numbers",
    )
    if clicked:
        open_zip_code(clicked)
    if rings is not None:
        st.caption(
            "An orange ring: a person was just seen there. A red one: a camera there has gone "
            "offline or silent."
        )
    _name_what_is_off(counts[~counts["zip_code"].isin(on_map["zip_code"])])


def _name_what_is_off(off_map: pd.DataFrame) -> None:
    """Say how many sightings the map cannot show, and why."""
    placed = off_map[off_map["zip_code"] != UNPLACED]
    sightings = int(placed["count"].sum())
    if sightings:
        st.caption(
            "Not on the map, because they have no coordinates: "
            f"{format_quantity(len(placed), 'zip code')} with "
            f"{format_quantity(sightings, 'sighting')}."
        )
    unplaced = int(off_map["count"].sum()) - sightings
    if unplaced:
        st.caption(
            "Not on the map, because their zip code is unknown: "
            f"{format_quantity(unplaced, 'sighting')}."
        )
