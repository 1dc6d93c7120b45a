"""Leave for another page, or for the same one with another choice, after a click."""

import json
from typing import NamedTuple, NoReturn
from urllib.parse import urlencode

import streamlit as st

_KEY = "navigation"
"""Of the viewer's choice in the session, and of its place; style.css takes it out of the flow."""


class _Navigation(NamedTuple):
    address: str
    number: int
    """How many there have been: the browser runs a script once, and again if it is another one."""


def navigate_to(page: str, **query_params: str) -> NoReturn:
    """Let the browser load a page, by its name in the address, with these query parameters.

    It is a step of the browser's history like a link's. ``st.switch_page`` makes two: Back would
    come to this page with the query parameters of the other.
    """
    past: _Navigation | None = st.session_state.get(_KEY)
    address = f"{page}?{urlencode(query_params)}"
    st.session_state[_KEY] = _Navigation(address, past.number + 1 if past else 1)
    st.rerun()


def run_pending_navigation() -> None:
    """Send the browser where the viewer has left for; every run of the app draws it first.

    It is outside of the fragments: the next refresh of one would take the script away, which a busy
    browser may not have run yet.
    """
    pending: _Navigation | None = st.session_state.get(_KEY)
    with st.container(key=_KEY):
        if pending:
            st.html(
                f"<script>/* {pending.number} */ "
                f"window.location.assign({json.dumps(pending.address)})</script>",
                unsafe_allow_javascript=True,
            )
