"""The zip codes on a map, as circles sized and coloured by count."""

from functools import lru_cache
from typing import Any

import altair as alt
import pandas as pd

from dashboard.charts.basemap import land_outlines
from dashboard.charts.chart_template import VegaLiteChart, fill_template, to_template
from dashboard.charts.map_frame import MapFrame, Ring, frame_around, mercator
from dashboard.charts.map_labels import map_labels
from dashboard.charts.theme import TEXT_SIZE, ChartTheme, with_readable_text
from dashboard.charts.zip_code_click import zip_code_click

_CIRCLE_SIZES = (20, 1400)
"""Area of the circle of no sighting, and of that of the most, pixels."""
_RING_SIZE = 1600
"""Area of the ring around a circle, pixels."""
_AREA_COLORS = {
    "light": ("#dce9f3", "#fbfaf6", "#b4bec8"),
    "dark": ("#0c2233", "#232d37", "#46525e"),
}
"""The colours of water, land and county borders, by kind of theme."""


def zip_map(
    zip_codes: pd.DataFrame,
    all_places: pd.DataFrame,
    theme: ChartTheme,
    height: int,
    largest: int | None = None,
) -> VegaLiteChart:
    """Return the Vega-Lite chart of the zip codes on a base map, ``height`` in pixels.

    ``zip_codes`` has zip_code, place (its name), latitude, longitude, count, highest and ring:
    the colour of a ring around its circle, empty for none.
    ``all_places`` has the latitude and longitude that the map must hold, so that it stays in place
    when fewer zip codes are selected. The scales end at the count ``largest``, by default at the
    largest of the zip codes.
    """
    x, y = mercator(all_places["longitude"].to_numpy(), all_places["latitude"].to_numpy())
    frame = frame_around(x, y)
    points = zip_codes.sort_values("count", ascending=False, ignore_index=True)
    points["x"], points["y"] = mercator(points["longitude"], points["latitude"])
    labels = map_labels(
        points, frame, _CIRCLE_SIZES, points["count"].max() if largest is None else largest
    )
    return fill_template(_template(frame, theme, height, largest), points=points, labels=labels)


@lru_cache(maxsize=8)
def _template(frame: MapFrame, theme: ChartTheme, height: int, largest: int | None) -> str:
    water, land, border = _AREA_COLORS[theme.kind]
    sea = alt.Chart(_geojson([frame.corners()])).mark_geoshape(fill=water, stroke=None, aria=False)
    counties = alt.Chart(_geojson(land_outlines(frame))).mark_geoshape(
        fill=land, stroke=border, strokeWidth=0.7, aria=False
    )
    legend = alt.Legend(title="Sightings", orient="bottom", format=",d", tickCount=3)
    domain = {} if largest is None else {"domain": [0, max(largest, 1)]}
    colors = alt.Scale(range=list(theme.sequential_colors), zero=True, **domain)
    sizes = alt.Scale(range=list(_CIRCLE_SIZES), zero=True, **domain)
    points = alt.Chart(alt.NamedData("points")).encode(longitude="x:Q", latitude="y:Q")
    circles = points.mark_circle(
        opacity=0.85, stroke=theme.text_color, strokeWidth=0.7, cursor="pointer"
    ).encode(
        size=alt.Size("count:Q", scale=sizes, legend=legend),
        color=alt.Color("count:Q", scale=colors, legend=legend),
        tooltip=[
            alt.Tooltip("place:N", title="Zip code"),
            alt.Tooltip("count:Q", title="Sightings", format=","),
            alt.Tooltip("highest:Q", title="Most in an hour", format=","),
        ],
    )
    circles = circles.add_params(zip_code_click())
    map_height = f"min(height, width * {frame.height / frame.width})"
    at_this_size = alt.Chart(alt.NamedData("labels")).transform_filter(
        f"datum.from <= {map_height} && {map_height} < datum.to"
    )
    labels = [
        at_this_size.encode(longitude="x:Q", latitude="y:Q", text="place:N").mark_text(
            fontWeight="bold", fontSize=TEXT_SIZE, **kind
        )
        for kind in (
            {"stroke": land, "strokeWidth": 4, "opacity": 0.9},
            {"color": theme.text_color},
        )
    ]
    rings = (
        points.transform_filter("datum.ring")
        .mark_point(shape="circle", size=_RING_SIZE, strokeWidth=4, tooltip=False, aria=False)
        .encode(stroke=alt.Stroke("ring:N", scale=None))
    )
    layers = alt.layer(sea, counties, circles, rings, *labels).properties(height=height)
    chart = layers.project(type="identity", reflectY=True)
    return to_template(with_readable_text(chart, theme))


def _geojson(rings: list[Ring]) -> alt.InlineData:
    """Return areas as GeoJSON in projected units."""
    shapes: list[dict[str, Any]] = [
        {
            "type": "Feature",
            "geometry": {"type": "Polygon", "coordinates": [ring.round(4).tolist()]},
            "properties": {},
        }
        for ring in rings
    ]
    return alt.InlineData(values=shapes)
