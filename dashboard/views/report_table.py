"""The report as a table and as a CSV file."""

from collections.abc import Sequence
from typing import Any
from zoneinfo import ZoneInfo

import pandas as pd
import streamlit as st

from contract.glossary import meaning
from dashboard import sources
from dashboard.data.counts import CountsView
from dashboard.data.csv_files import REPORT_CSV
from dashboard.data.formatting import format_number
from dashboard.data.selection import Selection
from dashboard.data.selection_query import selection_query
from dashboard.views.camera_choice import open_zip_code
from dashboard.widgets.clicks import clicked_row
from dashboard.widgets.downloads import csv_download
from dashboard.widgets.table_columns import MOST_TABLE_ROWS, table_height, time_column

HEIGHT = 420
_ALT = "The report: zip codes and hours above the threshold"


def report_table(selected: CountsView, selection: Selection, zone: ZoneInfo) -> None:
    """Show the report, highest counts first, with a download; a row leads to its zip code."""
    _title()
    rows = selected.report(selection.threshold)
    if rows.empty:
        _say_what_is_highest(selected, selection.threshold)
        return
    clicked = clicked_row(
        shown_rows(rows.head(MOST_TABLE_ROWS)),
        rows["zip_code"].head(MOST_TABLE_ROWS).tolist(),
        height=table_height(len(rows), HEIGHT),
        hide_index=True,
        key="report",
        alt=_ALT,
        # All three fit on a phone's screen; on a wider one each is wider.
        column_config=_columns(rows, zone, widths=(157, 94, 72)),
    )
    if clicked is not None:
        open_zip_code(str(clicked))
    if len(rows) > MOST_TABLE_ROWS:
        st.caption(
            f"The table has the highest {format_number(MOST_TABLE_ROWS)} of "
            f"{format_number(len(rows))} rows. The download has all rows."
        )
    csv_download(REPORT_CSV, selection_query(selection))


def highest_counts(selected: CountsView, threshold: int, zone: ZoneInfo, most: int) -> None:
    """Show the first ``most`` rows of the report, to be looked at only."""
    _title()
    rows = selected.report(threshold).head(most)
    if rows.empty:
        _say_what_is_highest(selected, threshold)
        return
    st.dataframe(
        shown_rows(rows),
        height="content",
        hide_index=True,
        alt=_ALT,
        column_config=_columns(rows, zone),
    )


def _title() -> None:
    st.header("Report", anchor=False, help=meaning("report"))


def _say_what_is_highest(selected: CountsView, threshold: int) -> None:
    highest = format_number(int(selected.rows["count"].iloc[0]))
    st.info(
        f"No zip code has more than {format_number(threshold)} sightings in an hour. "
        f"The highest count is {highest}."
    )


def _columns(
    rows: pd.DataFrame, zone: ZoneInfo, widths: Sequence[int | None] = (None, None, None)
) -> dict[str, Any]:
    place, start, count = widths
    return {
        "place": st.column_config.TextColumn("Zip code", width=place),
        "start": time_column("Hour", zone, "D MMM, HH:mm", width=start),
        "count": st.column_config.ProgressColumn(
            "Sightings",
            format="localized",
            min_value=0,
            max_value=int(rows["count"].iloc[0]),
            color="primary",
            width=count,
        ),
    }


def shown_rows(rows: pd.DataFrame) -> pd.DataFrame:
    """Return place, start and count; a place is a zip code with its city, where that is known."""
    name = sources.device_places().name
    places = [name(str(zip_code)) for zip_code in rows["zip_code"]]
    return pd.DataFrame({"place": places, "start": rows["start"], "count": rows["count"]})
