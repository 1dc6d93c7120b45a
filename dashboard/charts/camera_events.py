"""One camera's events on a time axis, with the time that it was offline."""

from datetime import datetime
from functools import lru_cache
from zoneinfo import ZoneInfo

import altair as alt
import pandas as pd

from dashboard.charts.bands import OFFLINE_COLOR, UNKNOWN_COLOR, bands
from dashboard.charts.chart_template import VegaLiteChart, fill_template, to_template
from dashboard.charts.theme import ChartTheme, with_readable_text
from dashboard.charts.time_axis import hour_axis, time_span_data, time_span_layer, time_tooltip

KINDS = ["Person seen", "Motion", "Sound", "Event", "Went offline", "Came online"]
"""From top to bottom; the theme has a colour for each."""
_ROW_HEIGHT = 26
_BAND_NAMES_HEIGHT = 18
_STATE_COLORS = {"offline": OFFLINE_COLOR, "silent": UNKNOWN_COLOR}
_BAND_TIMES = "%a %e %b, %H:%M"


def camera_events_chart(
    events: pd.DataFrame,
    *,
    offline: pd.DataFrame,
    silent: pd.DataFrame,
    span: tuple[datetime, datetime],
    zone: ZoneInfo,
    theme: ChartTheme,
) -> VegaLiteChart:
    """Draw a tick for each event, one line per kind; ``events`` has kind and start_time (UTC).

    ``offline`` and ``silent`` have start and end (UTC) and name of the times when the camera was
    offline, and when nothing is known of it. The time axis has the whole ``span``.
    """
    states = {
        name: rows for name, rows in (("offline", offline), ("silent", silent)) if not rows.empty
    }
    return fill_template(
        _template(frozenset(states), zone, theme),
        events=events[["kind", "start_time"]],
        span=time_span_data(span),
        **states,
    )


@lru_cache(maxsize=8)
def _template(states: frozenset[str], zone: ZoneInfo, theme: ChartTheme) -> str:
    """Return the chart with bands for those of the ``states`` that there are, by their names."""
    ticks = (
        alt.Chart(alt.NamedData("events"))
        .mark_tick(thickness=2, height=18)
        .encode(
            x=hour_axis("start_time", zone),
            y=alt.Y("kind:N", title=None, scale=alt.Scale(domain=KINDS)),
            color=alt.Color("kind:N", legend=None, scale=alt.Scale(domain=KINDS)),
            tooltip=[
                alt.Tooltip("kind:N", title="Event"),
                time_tooltip("start_time", "Time", zone),
            ],
        )
    )
    x = hour_axis("start", zone)
    layers = [time_span_layer(hour_axis("time", zone))]
    for name, color in _STATE_COLORS.items():
        if name in states:
            layers += bands(
                name, x, zone, theme, title="State", color=color, time_format=_BAND_TIMES
            )
    layers.append(ticks)
    chart = alt.layer(*layers).properties(height=_ROW_HEIGHT * len(KINDS) + _BAND_NAMES_HEIGHT)
    return to_template(with_readable_text(chart, theme))
