"""Tables to take away: a heading with a button beside it, and CSV with times in UTC."""

from collections.abc import Callable, Sequence

import pandas as pd
import streamlit as st


def titled_download(
    title: str, file_name: str, csv: Callable[[], bytes], *, disabled: bool, key: str | None = None
) -> None:
    """Show a heading and a button that makes the CSV when it is pressed."""
    with st.container(
        horizontal=True, horizontal_alignment="distribute", vertical_alignment="bottom"
    ):
        st.subheader(title, anchor=False)
        st.download_button(
            "Download (CSV, UTC)",
            data=csv,
            file_name=file_name,
            mime="text/csv",
            on_click="ignore",
            icon=":material/download:",
            key=key,
            disabled=disabled,
        )


def csv_in_utc(rows: pd.DataFrame, moments: Sequence[str]) -> bytes:
    """Return rows as CSV with a header, the columns ``moments`` to the second in UTC."""
    told = rows.assign(**{name: rows[name].dt.strftime("%Y-%m-%dT%H:%M:%SZ") for name in moments})
    return told.to_csv(index=False, lineterminator="\n").encode()
