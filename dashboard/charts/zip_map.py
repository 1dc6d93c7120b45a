"""The zip codes on a map, as circles sized and coloured by count."""

from functools import lru_cache
from typing import Any

import altair as alt
import orjson
import pandas as pd
import streamlit as st

from dashboard.charts.basemap import Frame, Ring, frame_around, land, mercator
from dashboard.charts.theme import legible, sequential, text_color

NAMED = 5
"""So many of the largest circles carry their zip code, where there is room for it."""
_GROUND = {
    "light": ("#dce9f3", "#fbfaf6", "#b4bec8"),
    "dark": ("#0c2233", "#232d37", "#46525e"),
}
"""The colours of water, land and the counties' borders."""
ROOM = (0.1, 0.06)
"""What a name takes, as parts of the map's width and height."""


def zip_map(zip_codes: pd.DataFrame, around: pd.DataFrame, height: int) -> dict[str, Any]:
    """Return the Vega-Lite chart of the zip codes on the outline of the land.

    ``zip_codes`` has zip_code, city, latitude, longitude, count and highest; ``around`` has the
    latitude and longitude of all places, so that the map stays where it is when fewer are chosen.
    """
    frame = frame_around(*mercator(around["longitude"].to_numpy(), around["latitude"].to_numpy()))
    points = zip_codes.sort_values("count", ascending=False, ignore_index=True)
    points["x"], points["y"] = mercator(points["longitude"], points["latitude"])
    points["name"] = points["zip_code"].where(pd.Series(_has_room(points, frame)), "")
    drawn: dict[str, Any] = orjson.loads(_drawn(frame, st.context.theme.type or "light", height))
    return drawn | {"datasets": {**drawn["datasets"], "points": points}}


@lru_cache(maxsize=8)
def _drawn(frame: Frame, theme: str, height: int) -> str:
    """Return the chart without its points, as JSON: Altair takes long to check an outline."""
    water, ground, border = _GROUND[theme]
    sea = alt.Chart(_features([frame.corners()])).mark_geoshape(fill=water, stroke=None)
    counties = alt.Chart(_features(land(frame))).mark_geoshape(
        fill=ground, stroke=border, strokeWidth=0.7
    )
    legend = alt.Legend(title="Sightings", orient="bottom", format=",d", tickCount=3)
    placed = alt.Chart(alt.NamedData("points")).encode(longitude="x:Q", latitude="y:Q")
    circles = placed.mark_circle(opacity=0.85, stroke=text_color(), strokeWidth=0.7).encode(
        size=alt.Size("count:Q", scale=alt.Scale(range=[20, 1400], zero=True), legend=legend),
        color=alt.Color("count:Q", scale=alt.Scale(range=sequential(), zero=True), legend=legend),
        tooltip=[
            alt.Tooltip("zip_code:N", title="Zip code"),
            alt.Tooltip("city:N", title="City"),
            alt.Tooltip("count:Q", title="Sightings", format=","),
            alt.Tooltip("highest:Q", title="Most in an hour", format=","),
        ],
    )
    name = placed.encode(text="name:N")
    halo = name.mark_text(dy=-16, fontWeight="bold", stroke=ground, strokeWidth=4, opacity=0.9)
    names = halo + name.mark_text(dy=-16, fontWeight="bold", color=text_color())
    layers = (sea + counties + circles + names).project(type="identity", reflectY=True)
    return str(legible(layers.properties(height=height)).to_json(indent=None))


def _has_room(points: pd.DataFrame, frame: Frame) -> list[bool]:
    """Tell which of the points, the largest first, can carry a name that no other one covers."""
    named: list[tuple[float, float]] = []
    answers = []
    for x, y in zip(points["x"], points["y"], strict=True):
        at = ((x - frame.left) / frame.width, (y - frame.bottom) / frame.height)
        free = len(named) < NAMED and not any(
            abs(at[0] - other[0]) < ROOM[0] and abs(at[1] - other[1]) < ROOM[1] for other in named
        )
        answers.append(free)
        if free:
            named.append(at)
    return answers


def _features(rings: list[Ring]) -> alt.InlineData:
    """Return areas as GeoJSON in the map's own units."""
    shapes: list[dict[str, Any]] = [
        {
            "type": "Feature",
            "geometry": {"type": "Polygon", "coordinates": [ring.round(4).tolist()]},
            "properties": {},
        }
        for ring in rings
    ]
    return alt.InlineData(values=shapes)
