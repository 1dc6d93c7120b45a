"""Links to the files that the dashboard serves."""

from html import escape

import streamlit as st


def csv_download(file_name: str, query: str) -> None:
    """Show a link to a CSV file; the ``query`` says what is in it.

    A refresh changes neither the link nor what it leads to. Streamlit's own download button gets a
    new file with each refresh, and a click that comes while the old one goes gives an error.

    It stands below the table: the bar of tools that a table shows when it is touched lies over
    what is above it.
    """
    address = f"{file_name}?{query}" if query else file_name
    # With ``download`` no browser leaves the page, whatever the answer is.
    st.html(
        f'<a class="download" href="{escape(address)}" download>Download (CSV, UTC)</a>',
        width="content",
    )
