"""The web application that ``nest dashboard`` serves: the page, for its own host names only."""

from pathlib import Path

import streamlit as st
from starlette.middleware import Middleware
from streamlit.starlette import App

from dashboard.allowed_hosts import AllowedHosts
from dashboard.page_style import PageStyle

FOLDER = Path(__file__).parent

# Streamlit finds the application in this file by its name and class.
app = App(
    FOLDER / "app.py",
    middleware=[
        Middleware(AllowedHosts, hosts=st.get_option("server.allowedHosts")),
        Middleware(PageStyle, css=(FOLDER / "style.css").read_text(encoding="utf-8")),
    ],
)
