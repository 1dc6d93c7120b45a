"""The tables that a viewer can download, as CSV with a header; no cell is a formula."""

from collections.abc import Sequence

import pandas as pd

from contract.csv_text import csv_text
from contract.instants import format_instant

REPORT_CSV = "report.csv"
OFFLINE_CAMERAS_CSV = "offline_cameras.csv"
"""The names of the files, and their addresses."""


def report_csv(rows: pd.DataFrame) -> bytes:
    """Return the report as `nest report --format csv` prints it: times in UTC."""
    windows = rows.rename(columns={"start": "window_start", "end": "window_end"})
    columns = ["zip_code", "window_start", "window_end", "count"]
    return _utc_csv(windows[columns], ["window_start", "window_end"])


def offline_cameras_csv(rows: pd.DataFrame) -> bytes:
    """Return the rows of ``offline_rows`` with times in UTC."""
    time_columns = ("offline_since", "last_report", "last_event")
    return _utc_csv(rows.drop(columns="offline_for"), time_columns)


def _utc_csv(rows: pd.DataFrame, time_columns: Sequence[str]) -> bytes:
    """Return rows as CSV; the time columns are in UTC, to the second."""
    as_text = {
        name: rows[name].map(lambda instant: format_instant(instant, "seconds"), na_action="ignore")
        for name in time_columns
    }
    cells = rows.assign(**as_text).astype(object)
    cells = cells.where(cells.notna(), "")
    return csv_text(list(rows.columns), cells.itertuples(index=False, name=None)).encode()
