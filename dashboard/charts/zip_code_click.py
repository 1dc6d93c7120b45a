"""The click on a chart of zip codes, as a parameter of the chart."""

import altair as alt

NAME = "clicked"
"""Of the parameter; its value is a list of marks, each with its zip_code."""


def zip_code_click() -> alt.Parameter:
    """Return the parameter for the layer whose marks, with a column zip_code, can be clicked."""
    return alt.selection_point(name=NAME, fields=["zip_code"], on="click", clear="dblclick")
