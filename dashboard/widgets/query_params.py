"""Query parameters of the address: they keep a viewer's choices, so that a view can be shared.

Most controls bind themselves to a query parameter. These functions are for the others: a number
that may be written in any way, and instants that are in UTC there and in the viewer's time zone on
the page.
"""

from datetime import UTC, datetime

import streamlit as st

FIRST_INSTANT = datetime(1970, 1, 2, tzinfo=UTC)
LAST_INSTANT = datetime(9999, 12, 30, tzinfo=UTC)
"""A viewer can choose instants between these, which every time zone can show."""


def initial_param(name: str) -> str:
    """Return the value that a query parameter had when the viewer arrived; empty if it had none.

    A control starts with this value. Streamlit resets a control whose initial value changes, so
    the value stays the same for the whole session.
    """
    return str(st.session_state.setdefault(f"initial {name}", st.query_params.get(name, "")))


def initial_whole_number(name: str, default: int) -> int:
    """Return the initial value as a whole number from 0; the default if it is none."""
    text = initial_param(name)
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 9 else default


def initial_instant(name: str) -> datetime | None:
    """Return the initial value as an instant in UTC; None if it is none.

    The value is ISO 8601, from ``FIRST_INSTANT`` to ``LAST_INSTANT``; without an offset it is in
    UTC.
    """
    try:
        instant = datetime.fromisoformat(initial_param(name))
        instant = instant.astimezone(UTC) if instant.tzinfo else instant.replace(tzinfo=UTC)
    except (ValueError, OverflowError):
        return None
    return instant if FIRST_INSTANT <= instant <= LAST_INSTANT else None


def set_param(name: str, value: int | datetime | str | None) -> None:
    """Write a value into the address, instants in UTC; None removes the parameter."""
    if value is None:
        st.query_params.pop(name, None)
    elif isinstance(value, datetime):
        st.query_params[name] = f"{value.astimezone(UTC):%Y-%m-%dT%H:%MZ}"
    else:
        st.query_params[name] = str(value)
