"""Charts that are described once, and filled with the data of each refresh.

Altair takes some ten milliseconds to describe and validate a chart. A chart with named data has the
same description on every refresh, so it is kept as JSON. The browser then changes the data only.
"""

from typing import Any, Literal

import altair as alt
import orjson
import pandas as pd

VegaLiteChart = dict[str, Any]
"""A chart as Vega-Lite, with its data in "datasets"."""

ChartHeight = Literal["content", "stretch"]
"""As high as its description says, or as the place that it stands in."""


def to_template(chart: alt.Chart | alt.LayerChart) -> str:
    """Return the JSON of a chart on ``alt.NamedData``, for ``fill_template``."""
    return str(chart.to_json(indent=None))


def fill_template(chart_template: str, **datasets: pd.DataFrame) -> VegaLiteChart:
    """Return a template's chart with its data by name."""
    chart: VegaLiteChart = orjson.loads(chart_template)
    return chart | {"datasets": {**chart.get("datasets", {}), **datasets}}
