"""What a viewer has chosen, kept in the page's address, so that a view can be shared.

Most controls bind themselves to the address. These are the ones that need more care: a number that
may be spelled in any way, and moments that are in UTC there and in the viewer's zone on the page.
"""

from datetime import UTC, datetime

import streamlit as st


def asked(name: str) -> str:
    """Return the parameter ``name`` of the address that the viewer came with; empty without one.

    It is what a control begins with. That must not change later, or the control would forget what
    has been chosen with it since.
    """
    return str(st.session_state.setdefault(f"asked {name}", st.query_params.get(name, "")))


def whole_number(name: str, default: int) -> int:
    """Return what was asked for, or the default if it is no whole number from 0."""
    text = asked(name)
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 9 else default


def moment(name: str, default: datetime) -> datetime:
    """Return what was asked for (ISO 8601, UTC unless it says otherwise), or else the default."""
    try:
        found = datetime.fromisoformat(asked(name))
        return found.astimezone(UTC) if found.tzinfo else found.replace(tzinfo=UTC)
    except (ValueError, OverflowError):
        return default


def remember(name: str, value: int | datetime | str | None) -> None:
    """Put a choice into the address, moments in UTC; None is what is chosen anyway."""
    if value is None:
        st.query_params.pop(name, None)
    elif isinstance(value, datetime):
        st.query_params[name] = f"{value.astimezone(UTC):%Y-%m-%dT%H:%MZ}"
    else:
        st.query_params[name] = str(value)
