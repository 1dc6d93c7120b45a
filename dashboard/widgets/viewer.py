"""What the viewer's browser reports: its time zone and its colour theme."""

from typing import Any
from zoneinfo import ZoneInfo

import streamlit as st

from dashboard.charts.theme import ChartTheme, ThemeKind
from dashboard.data.formatting import find_time_zone


def viewer_time_zone() -> ZoneInfo:
    """Return the browser's time zone; UTC if the browser reports none or one unknown here."""
    return find_time_zone(st.context.timezone)


def viewer_chart_theme() -> ChartTheme:
    """Return the colours of the theme that the viewer sees, light or dark."""
    kind: ThemeKind = "dark" if st.context.theme.type == "dark" else "light"

    def option(name: str) -> Any:
        return st.get_option(f"theme.{kind}.{name}")

    return ChartTheme(
        kind,
        text_color=str(option("textColor") or "gray"),
        sequential_colors=tuple(option("chartSequentialColors") or ()),
    )
