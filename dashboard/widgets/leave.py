"""Leave for another page, or for the same one with another choice, after a click."""

import json
from urllib.parse import urlencode

import streamlit as st


def leave_for(page: str, **query_params: str) -> None:
    """Let the browser load a page, by its name in the address, with these query parameters.

    It is a step of the browser's history like a link's. ``st.switch_page`` makes two: Back would
    come to this page with the query parameters of the other.
    """
    address = json.dumps(f"{page}?{urlencode(query_params)}")
    st.html(f"<script>window.location.assign({address})</script>", unsafe_allow_javascript=True)
