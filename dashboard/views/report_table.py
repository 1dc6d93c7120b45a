"""The report as a table and as a CSV file."""

from zoneinfo import ZoneInfo

import pandas as pd
import streamlit as st

from contract.glossary import meaning
from dashboard import sources
from dashboard.data.counts import CountsView
from dashboard.data.formatting import format_number
from dashboard.views.camera_choice import open_zip_code
from dashboard.widgets.clicks import clicked_row
from dashboard.widgets.downloads import csv_download, utc_csv
from dashboard.widgets.table_columns import table_height, time_column

HEIGHT = 420
MAX_ROWS = 1000
"""The highest counts come first, and nobody reads further; the download has all rows."""


def report_table(selected: CountsView, threshold: int, zone: ZoneInfo) -> None:
    """Show the report, highest counts first, with a download."""
    st.header("Report", anchor=False, help=meaning("report"))
    rows = selected.report(threshold)
    if rows.empty:
        highest = format_number(int(selected.rows["count"].iloc[0]))
        st.info(
            f"No zip code has more than {format_number(threshold)} sightings in an hour. "
            f"The highest count is {highest}."
        )
        return
    clicked = clicked_row(
        shown_rows(rows.head(MAX_ROWS)),
        height=table_height(len(rows), HEIGHT),
        hide_index=True,
        key="report",
        alt="The report: zip codes and hours above the threshold",
        column_config={
            # All three fit on a phone's screen; on a wider one each is wider.
            "place": st.column_config.TextColumn("Zip code", width=157),
            "start": time_column("Hour", zone, "D MMM, HH:mm", width=94),
            "count": st.column_config.ProgressColumn(
                "Sightings",
                format="localized",
                min_value=0,
                max_value=int(rows["count"].iloc[0]),
                color="primary",
                width=72,
            ),
        },
    )
    if clicked is not None:
        open_zip_code(str(rows["zip_code"].iloc[clicked]))
    if len(rows) > MAX_ROWS:
        st.caption(
            f"The table has the highest {format_number(MAX_ROWS)} of "
            f"{format_number(len(rows))} rows. The download has all rows."
        )
    csv_download("report.csv", lambda: report_csv(rows), key="download")


def shown_rows(rows: pd.DataFrame) -> pd.DataFrame:
    """Return place, start and count; a place is a zip code with its city, where that is known."""
    name = sources.device_places().name
    places = [name(str(zip_code)) for zip_code in rows["zip_code"]]
    return pd.DataFrame({"place": places, "start": rows["start"], "count": rows["count"]})


def report_csv(rows: pd.DataFrame) -> bytes:
    """Return the report as `nest report --format csv` prints it: with a header, times in UTC."""
    windows = rows.rename(columns={"start": "window_start", "end": "window_end"})
    columns = ["zip_code", "window_start", "window_end", "count"]
    return utc_csv(windows[columns], ["window_start", "window_end"])
