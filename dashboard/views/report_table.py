"""The report as a table and as a CSV file."""

from zoneinfo import ZoneInfo

import pandas as pd
import streamlit as st

from dashboard.data.counts import CountsView
from dashboard.data.formatting import format_number
from dashboard.widgets.downloads import heading_with_download, utc_csv
from dashboard.widgets.table_columns import table_height, time_column

HEIGHT = 420
MAX_ROWS = 1000
"""The highest counts come first, and nobody reads further; the download has all rows."""


def report_table(selected: CountsView, threshold: int, zone: ZoneInfo) -> None:
    """Show the report, highest counts first, with a download."""
    rows = selected.report(threshold)
    heading_with_download(
        "Report", "report.csv", lambda: report_csv(rows), disabled=rows.empty, key="download"
    )
    if rows.empty:
        highest = format_number(int(selected.rows["count"].iloc[0]))
        st.info(
            f"No zip code has more than {format_number(threshold)} sightings in an hour. "
            f"The highest count is {highest}."
        )
        return
    st.dataframe(
        rows.head(MAX_ROWS)[["zip_code", "start", "count"]],
        height=table_height(len(rows), HEIGHT),
        hide_index=True,
        key="report",
        column_config={
            "zip_code": st.column_config.TextColumn("Zip code"),
            "start": time_column("Hour", zone, "ddd D MMM, HH:mm"),
            "count": st.column_config.ProgressColumn(
                "Sightings",
                format="localized",
                min_value=0,
                max_value=int(rows["count"].iloc[0]),
                color="primary",
            ),
        },
    )
    if len(rows) > MAX_ROWS:
        st.caption(
            f"The table has the highest {format_number(MAX_ROWS)} of "
            f"{format_number(len(rows))} rows. The download has all rows."
        )


def report_csv(rows: pd.DataFrame) -> bytes:
    """Return the report as `nest report --format csv` prints it: with a header, times in UTC."""
    windows = rows.rename(columns={"start": "window_start", "end": "window_end"})
    columns = ["zip_code", "window_start", "window_end", "count"]
    return utc_csv(windows[columns], ["window_start", "window_end"])
