"""A slider of hours, and a button that plays them like a film."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import streamlit as st

HOURS = 24
"""How many hours a film has."""
FRAME = timedelta(seconds=15) / HOURS
"""How long each hour is shown, so that a day lasts fifteen seconds."""
_HOUR, _BEGAN = "hour on the map", "the film began at"


def is_playing() -> bool:
    """Tell whether the viewer sees a film."""
    return _BEGAN in st.session_state


def choose_hour(hours: Sequence[datetime], now: datetime, zone: ZoneInfo) -> datetime | None:
    """Show the slider and the button; return the hour to show, None for all hours.

    ``hours`` are in UTC, oldest first. The caller draws each ``FRAME`` while ``is_playing``, and
    the page runs anew where that begins or ends.
    """
    began: datetime | None = st.session_state.get(_BEGAN)
    has_ended = False
    if began:
        frame = int((now - began) / FRAME)
        has_ended = frame >= len(hours)
        st.session_state[_HOUR] = None if has_ended else hours[frame]
    elif st.session_state.get(_HOUR) not in hours:
        st.session_state[_HOUR] = None
    with st.container(horizontal=True, vertical_alignment="center", key="controls hours"):
        if began:
            was_clicked = st.button("Stop", icon=":material/stop:", key="button stop")
        else:
            was_clicked = st.button("Play a day", icon=":material/play_arrow:", key="button play")
        hour: datetime | None = st.select_slider(
            "Hour on the map",
            [None, *hours],
            format_func=lambda each: hour_label(each, zone) if each else "All hours",
            key=_HOUR,
            label_visibility="collapsed",
        )
    if has_ended or (began and was_clicked):
        del st.session_state[_BEGAN]
        st.rerun()
    if was_clicked:
        st.session_state[_BEGAN] = now
        st.rerun()
    return hour


def hour_label(hour: datetime, zone: ZoneInfo) -> str:
    """Name an hour by its beginning: ``Fri 14:00``."""
    return f"{hour.astimezone(zone):%a %H:%M}"
