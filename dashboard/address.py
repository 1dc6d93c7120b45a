"""What a viewer has chosen, kept in the page's address, so that a view can be shared.

Most controls bind themselves to the address. These are the ones that need more care: a number that
may be spelled in any way, and moments that are in UTC there and in the viewer's zone on the page.
"""

from datetime import UTC, datetime

import streamlit as st


def whole_number(name: str, default: int) -> int:
    """Return the address's parameter ``name``, or the default if it is no whole number from 0."""
    text = st.query_params.get(name, "")
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 9 else default


def moment(name: str, default: datetime) -> datetime:
    """Return the address's parameter ``name`` (ISO 8601, UTC unless it says otherwise)."""
    try:
        found = datetime.fromisoformat(st.query_params.get(name, ""))
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
