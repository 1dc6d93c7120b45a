"""CSV downloads of tables."""

from collections.abc import Callable, Sequence

import pandas as pd
import streamlit as st

from contract.csv_text import csv_text


def csv_download(file_name: str, csv: Callable[[], bytes], *, key: str | None = None) -> None:
    """Show a download button; the CSV is made when the button is pressed.

    It stands below the table: the bar of tools that a table shows when it is touched lies over
    what is above it.
    """
    st.download_button(
        "Download (CSV, UTC)",
        data=csv,
        file_name=file_name,
        mime="text/csv",
        on_click="ignore",
        icon=":material/download:",
        key=key,
    )


def utc_csv(rows: pd.DataFrame, time_columns: Sequence[str]) -> bytes:
    """Return rows as CSV with a header; no cell is a formula.

    The time columns are in UTC, to the second.
    """
    as_text = {name: rows[name].dt.strftime("%Y-%m-%dT%H:%M:%SZ") for name in time_columns}
    cells = rows.assign(**as_text).astype(object)
    cells = cells.where(cells.notna(), "")
    return csv_text(list(rows.columns), cells.itertuples(index=False, name=None)).encode()
