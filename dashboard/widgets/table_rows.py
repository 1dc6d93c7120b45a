"""Rows of the lake's tables, whatever their columns, in a form that a table on a page can show."""

from zoneinfo import ZoneInfo

import pandas as pd

_FIRST_COLUMNS = ("device_id", "timestamp", "partition", "offset")


def table_rows(rows: pd.DataFrame, zone: ZoneInfo) -> pd.DataFrame:
    """Return rows with times in the viewer's time zone, nested values as text, and keys first."""
    shown = rows.copy()
    for column in shown:
        values = shown[column]
        if isinstance(values.dtype, pd.DatetimeTZDtype):
            shown[column] = values.dt.tz_convert(zone)
        elif values.map(lambda value: isinstance(value, dict | list)).any():
            shown[column] = values.map(str)
    first = [name for name in _FIRST_COLUMNS if name in shown]
    return shown[[*first, *(name for name in shown if name not in first)]]
