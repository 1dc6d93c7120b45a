"""The selected zip codes on a map."""

import streamlit as st

from contract.stats import UNPLACED
from dashboard import sources
from dashboard.charts.zip_map import zip_map
from dashboard.data.aggregates import counts_by_zip_code
from dashboard.data.counts import CountsView
from dashboard.data.formatting import format_quantity
from dashboard.widgets.notices import show_verbatim
from dashboard.widgets.viewer import viewer_chart_theme

HEIGHT = 420


def report_map(view: CountsView, selected: CountsView) -> None:
    """Show the selected zip codes on the map, and name how many have no coordinates.

    The map holds the zip codes of the whole ``view``.
    """
    st.header("Sightings by zip code", anchor=False)
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
    all_places = places.zip_codes[places.zip_codes["zip_code"].isin(view.zip_codes)]
    if on_map.empty:
        st.info("The device locations have no coordinates for the selected zip codes.")
        return
    st.vega_lite_chart(
        zip_map(on_map, all_places, viewer_chart_theme(), HEIGHT),
        key="map",
        alt="A map with a circle for each zip code, larger the more sightings it has; the table "
        "and the charts have the same numbers",
    )
    off_map = counts[~counts["zip_code"].isin(on_map["zip_code"])]
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
