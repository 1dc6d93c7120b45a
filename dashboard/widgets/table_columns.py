"""How the columns of tables look, the same on every page."""

from typing import Any
from zoneinfo import ZoneInfo

import streamlit as st

_ROW = 35


def height(rows: int, most: int = 10_000) -> int:
    """Return the height of a table with so many rows, at most ``most``, pixels."""
    return min(most, _ROW * (rows + 1) + 3)


def moments(title: str, zone: ZoneInfo, form: str = "ddd D MMM, HH:mm:ss") -> Any:
    """Show moments in the viewer's zone."""
    return st.column_config.DatetimeColumn(title, format=form, timezone=zone.key)


def numbers(title: str, form: str = "localized") -> Any:
    """Show numbers with their thousands apart."""
    return st.column_config.NumberColumn(title, format=form)
