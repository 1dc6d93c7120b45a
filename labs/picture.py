"""Pictures in notebooks: an Altair chart as SVG, which a code host shows without running it."""

import altair as alt
import vl_convert
from IPython.display import SVG


def picture(chart: alt.Chart | alt.LayerChart | alt.HConcatChart | alt.VConcatChart) -> SVG:
    """Return the chart as an SVG; as the last expression of a cell it is shown."""
    return SVG(vl_convert.vegalite_to_svg(chart.to_dict()))
