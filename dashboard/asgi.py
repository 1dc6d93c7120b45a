"""The web application that ``nest dashboard`` serves, for its own host names only.

It has the pages, and the CSV files that they offer.
"""

from pathlib import Path

import streamlit as st
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from streamlit.starlette import App

from dashboard.allowed_hosts import AllowedHosts
from dashboard.page_style import PageStyle

FOLDER = Path(__file__).parent


def csv_file(request: Request) -> Response:
    """Return a CSV file; what reads its numbers is loaded by the first page or file, not before."""
    from dashboard import csv_endpoint  # noqa: PLC0415

    return csv_endpoint.csv_file(request)


# Streamlit finds the application in this file by its name and class.
app = App(
    FOLDER / "app.py",
    routes=[Route("/{name}.csv", csv_file)],
    middleware=[
        Middleware(AllowedHosts, hosts=st.get_option("server.allowedHosts")),
        Middleware(PageStyle, css=(FOLDER / "style.css").read_text(encoding="utf-8")),
    ],
)
