"""A heat map of sightings by zip code and hour."""

from datetime import datetime, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo

import altair as alt
import pandas as pd

from dashboard.charts.chart_template import VegaLiteChart, fill_template, to_template
from dashboard.charts.theme import ChartTheme, with_readable_text
from dashboard.charts.time_axis import hour_axis, time_span_data, time_span_layer, time_tooltip
from dashboard.charts.zip_code_click import zip_code_click

_HOUR = timedelta(hours=1)
_ROW_HEIGHT = 20
"""Height of a zip code's row, pixels."""
_LABEL_WIDTH = 140
"""The most that the name of a place takes, pixels."""


def heat_map(
    cells: pd.DataFrame,
    span: tuple[datetime, datetime],
    zone: ZoneInfo,
    theme: ChartTheme,
    hour: datetime | None,
) -> VegaLiteChart:
    """Draw a cell per zip code and time bucket; zip codes with the most sightings come first.

    ``cells`` has zip_code, place, from, to (UTC) and count. The time axis has the whole ``span``.
    A frame stands around the ``hour``, if one is given.
    """
    data = {"cells": cells, "span": time_span_data(span)}
    if hour:
        data["frame"] = pd.DataFrame({"start": [hour], "end": [hour + _HOUR]})
    return fill_template(_template(zone, theme, has_frame=hour is not None), **data)


@lru_cache(maxsize=8)
def _template(zone: ZoneInfo, theme: ChartTheme, *, has_frame: bool) -> str:
    heat = (
        alt.Chart(alt.NamedData("cells"))
        .mark_rect(cursor="pointer")
        .encode(
            x=hour_axis("from", zone),
            x2="to:T",
            y=alt.Y(
                "place:N",
                title=None,
                sort=alt.EncodingSortField("count", op="sum", order="descending"),
                axis=alt.Axis(labelLimit=_LABEL_WIDTH, labelOverlap=False, labelFlush=False),
            ),
            color=alt.Color(
                "count:Q",
                scale=alt.Scale(type="sqrt", range=list(theme.sequential_colors)),
                legend=alt.Legend(title="Sightings", orient="top", format=",d", tickCount=4),
            ),
            tooltip=[
                alt.Tooltip("place:N", title="Zip code"),
                time_tooltip("from", "From", zone),
                alt.Tooltip("count:Q", title="Sightings", format=",d"),
            ],
        )
        .add_params(zip_code_click())
        .properties(height=alt.Step(_ROW_HEIGHT))
    )
    layers = [time_span_layer(hour_axis("time", zone)), heat]
    if has_frame:
        layers.append(_frame(zone, theme))
    return to_template(with_readable_text(alt.layer(*layers), theme))


def _frame(zone: ZoneInfo, theme: ChartTheme) -> alt.Chart:
    """Return a layer with a frame around the cells of an hour."""
    return (
        alt.Chart(alt.NamedData("frame"))
        .mark_rect(fillOpacity=0, stroke=theme.text_color, strokeWidth=2, tooltip=False, aria=False)
        .encode(x=hour_axis("start", zone), x2="end:T")
    )
