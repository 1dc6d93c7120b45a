"""Tables and charts whose rows and marks lead somewhere when they are clicked."""

from collections.abc import Sequence
from typing import Any, TypeVar

import pandas as pd
import streamlit as st

from dashboard.charts.chart_template import VegaLiteChart
from dashboard.charts.zip_code_click import NAME as ZIP_CODE_CLICK

T = TypeVar("T")


def clicked_row(rows: pd.DataFrame, leads_to: Sequence[T], key: str, **arguments: Any) -> T | None:
    """Show a table; return the entry of ``leads_to`` of a newly chosen row, else None.

    ``leads_to`` has an entry for each row. Streamlit reports a click by the number of the row among
    those that were shown before this run, so the number is looked up in the entries of those.
    ``arguments`` are those of ``st.dataframe``.
    """
    shown: Sequence[T] = st.session_state.get(_shown(key), leads_to)
    st.session_state[_shown(key)] = leads_to
    event = st.dataframe(
        rows,
        key=_fresh_key(key),
        on_select="rerun",
        selection_mode="single-row",
        **arguments,
    )
    chosen: list[int] = event.selection.rows
    if not chosen or chosen[0] >= len(shown):
        return None
    _renew_key(key)
    return shown[chosen[0]]


def clicked_zip_code(chart: VegaLiteChart, key: str, **arguments: Any) -> str | None:
    """Show a chart with ``zip_code_click``; return the zip code that the viewer has clicked, once.

    ``arguments`` are those of ``st.vega_lite_chart``.
    """
    event = st.vega_lite_chart(chart, key=_fresh_key(key), on_select="rerun", **arguments)
    marks: list[dict[str, str]] = event.selection.get(ZIP_CODE_CLICK, [])
    if not marks:
        return None
    _renew_key(key)
    return marks[0]["zip_code"]


def _fresh_key(key: str) -> str:
    """Return a key that is another one after each click, which the old one would repeat."""
    return f"{key} {st.session_state.get(_clicks(key), 0)}"


def _renew_key(key: str) -> None:
    st.session_state[_clicks(key)] = st.session_state.get(_clicks(key), 0) + 1


def _clicks(key: str) -> str:
    return f"clicks on {key}"


def _shown(key: str) -> str:
    return f"where rows of {key} lead"
