"""The report as a table to be sorted, and as a file."""

from zoneinfo import ZoneInfo

import pandas as pd
import streamlit as st

from dashboard.data.counts import CountsView
from dashboard.data.formatting import number
from dashboard.widgets import table_columns
from dashboard.widgets.downloads import csv_in_utc, titled_download

HEIGHT = 420
SHOWN_ROWS = 1000
"""A longer table helps nobody; the highest counts come first, and the download has them all."""


def report_table(part: CountsView, threshold: int, zone: ZoneInfo) -> None:
    """Show the report, highest counts first, to be sorted and downloaded."""
    rows = part.above(threshold)
    titled_download(
        "The report", "report.csv", lambda: as_csv(rows), disabled=rows.empty, key="download"
    )
    if rows.empty:
        highest = number(int(part.rows["count"].iloc[0]))
        st.info(
            f"No zip code had more than {number(threshold)} sightings in an hour. "
            f"The most so far is {highest}."
        )
        return
    st.dataframe(
        rows.head(SHOWN_ROWS)[["zip_code", "start", "count"]],
        height=table_columns.height(len(rows), HEIGHT),
        hide_index=True,
        key="report",
        column_config={
            "zip_code": st.column_config.TextColumn("Zip code"),
            "start": table_columns.moments("Hour from", zone, "ddd D MMM, HH:mm"),
            "count": st.column_config.ProgressColumn(
                "Sightings",
                format="localized",
                min_value=0,
                max_value=int(rows["count"].iloc[0]),
                color="primary",
            ),
        },
    )
    if len(rows) > SHOWN_ROWS:
        st.caption(
            f"The highest {number(SHOWN_ROWS)} of {number(len(rows))}; the download has all."
        )


def as_csv(rows: pd.DataFrame) -> bytes:
    """Return the report as `nest report --format csv` prints it: with a header, times in UTC."""
    told = rows.rename(columns={"start": "window_start", "end": "window_end"})
    moments = ["window_start", "window_end"]
    return csv_in_utc(told[["zip_code", *moments, "count"]], moments)
