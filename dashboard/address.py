"""What a viewer has chosen, kept in the page's address, so that a view can be shared."""

import streamlit as st


def whole_number(name: str, default: int) -> int:
    """Return the address's parameter ``name``, or the default if it is no whole number from 0."""
    text = st.query_params.get(name, "")
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 9 else default


def remember(name: str) -> None:
    """Put the value of the widget with this key into the address."""
    st.query_params[name] = str(st.session_state[name])
