"""The zip codes on a map, as circles sized and coloured by count."""

from functools import lru_cache
from typing import Any

import altair as alt
import orjson
import pandas as pd

from dashboard.charts.basemap import land_outlines
from dashboard.charts.map_frame import MapFrame, Ring, frame_around, mercator
from dashboard.charts.theme import ChartTheme, with_text_color

MAX_LABELS = 5
"""How many of the largest circles carry their zip code, where labels do not overlap."""
_LABEL_SIZE = (0.1, 0.06)
"""Width and height of a label, as parts of the map's."""
_AREA_COLORS = {
    "light": ("#dce9f3", "#fbfaf6", "#b4bec8"),
    "dark": ("#0c2233", "#232d37", "#46525e"),
}
"""The colours of water, land and county borders, by kind of theme."""


def zip_map(
    zip_codes: pd.DataFrame, all_places: pd.DataFrame, theme: ChartTheme, height: int
) -> dict[str, Any]:
    """Return the Vega-Lite chart of the zip codes on a base map, ``height`` in pixels.

    ``zip_codes`` has zip_code, city, latitude, longitude, count and highest. ``all_places`` has the
    latitude and longitude that the map must hold, so that it stays in place when fewer zip codes
    are selected.
    """
    x, y = mercator(all_places["longitude"].to_numpy(), all_places["latitude"].to_numpy())
    frame = frame_around(x, y)
    points = zip_codes.sort_values("count", ascending=False, ignore_index=True)
    points["x"], points["y"] = mercator(points["longitude"], points["latitude"])
    points["label"] = points["zip_code"].where(pd.Series(_is_labelled(points, frame)), "")
    chart: dict[str, Any] = orjson.loads(_chart_without_points(frame, theme, height))
    return chart | {"datasets": {**chart["datasets"], "points": points}}


@lru_cache(maxsize=8)
def _chart_without_points(frame: MapFrame, theme: ChartTheme, height: int) -> str:
    """Return the chart as JSON; it is kept, since Altair takes long to validate the outlines."""
    water, land, border = _AREA_COLORS[theme.kind]
    sea = alt.Chart(_geojson([frame.corners()])).mark_geoshape(fill=water, stroke=None)
    counties = alt.Chart(_geojson(land_outlines(frame))).mark_geoshape(
        fill=land, stroke=border, strokeWidth=0.7
    )
    legend = alt.Legend(title="Sightings", orient="bottom", format=",d", tickCount=3)
    colors = alt.Scale(range=list(theme.sequential_colors), zero=True)
    points = alt.Chart(alt.NamedData("points")).encode(longitude="x:Q", latitude="y:Q")
    circles = points.mark_circle(opacity=0.85, stroke=theme.text_color, strokeWidth=0.7).encode(
        size=alt.Size("count:Q", scale=alt.Scale(range=[20, 1400], zero=True), legend=legend),
        color=alt.Color("count:Q", scale=colors, legend=legend),
        tooltip=[
            alt.Tooltip("zip_code:N", title="Zip code"),
            alt.Tooltip("city:N", title="City"),
            alt.Tooltip("count:Q", title="Sightings", format=","),
            alt.Tooltip("highest:Q", title="Most in an hour", format=","),
        ],
    )
    label = points.encode(text="label:N")
    halo = label.mark_text(dy=-16, fontWeight="bold", stroke=land, strokeWidth=4, opacity=0.9)
    labels = halo + label.mark_text(dy=-16, fontWeight="bold", color=theme.text_color)
    layers = (sea + counties + circles + labels).project(type="identity", reflectY=True)
    return str(with_text_color(layers.properties(height=height), theme).to_json(indent=None))


def _is_labelled(points: pd.DataFrame, frame: MapFrame) -> list[bool]:
    """Tell for each point, the largest first, whether it has a label that overlaps no other."""
    labels: list[tuple[float, float]] = []
    is_labelled = []
    for x, y in zip(points["x"], points["y"], strict=True):
        place = ((x - frame.left) / frame.width, (y - frame.bottom) / frame.height)
        is_free = len(labels) < MAX_LABELS and not any(
            abs(place[0] - other[0]) < _LABEL_SIZE[0] and abs(place[1] - other[1]) < _LABEL_SIZE[1]
            for other in labels
        )
        is_labelled.append(is_free)
        if is_free:
            labels.append(place)
    return is_labelled


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
