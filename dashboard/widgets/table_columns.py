"""Column formats and heights of tables, the same on every page."""

from typing import Any
from zoneinfo import ZoneInfo

import streamlit as st

TABLE_HEIGHT = 320
"""In pixels, of a table with more rows than fit."""
MOST_TABLE_ROWS = 1000
"""Nobody reads further; a download, where there is one, has all rows."""
_ROW_HEIGHT = 35
_BORDER = 3


def table_height(rows: int, max_height: int = 10_000) -> int:
    """Return the height in pixels of a table with a header and that many rows."""
    return min(max_height, _ROW_HEIGHT * (rows + 1) + _BORDER)


def time_column(
    title: str,
    zone: ZoneInfo,
    date_format: str = "ddd D MMM, HH:mm:ss",
    width: int | None = None,
) -> Any:
    """Show instants in the viewer's time zone; ``date_format`` is a Moment.js format."""
    return st.column_config.DatetimeColumn(
        title, format=date_format, timezone=zone.key, width=width
    )


def number_column(title: str) -> Any:
    """Show numbers with a thousands separator."""
    return st.column_config.NumberColumn(title, format="localized")
