"""The selected zip codes on a map."""

import streamlit as st

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
    st.subheader("Sightings by zip code", anchor=False)
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
    all_places = places.zip_codes[places.zip_codes["zip_code"].isin(view.zip_codes)]
    if on_map.empty:
        st.info("The device locations have no coordinates for the selected zip codes.")
        return
    st.vega_lite_chart(zip_map(on_map, all_places, viewer_chart_theme(), HEIGHT), key="map")
    off_map = counts[~counts["zip_code"].isin(on_map["zip_code"])]
    if len(off_map):
        st.caption(
            f"Not on the map, because they have no coordinates: "
            f"{format_quantity(len(off_map), 'zip code')} with "
            f"{format_quantity(int(off_map['count'].sum()), 'sighting')}."
        )
