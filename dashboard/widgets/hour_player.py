"""A slider of hours, and a button that plays them like a film."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import streamlit as st

from dashboard.data.formatting import to_zone

HOURS = 24
"""How many hours a film has."""
FRAME = timedelta(seconds=15) / HOURS
"""How long each hour is shown, so that a day lasts fifteen seconds."""
_HOUR, _BEGAN = "hour on the map", "the film began at"
_LABELS = ("%a %H:%M", "%a %H:%M %Z", "%a %d %b, %H:%M", "%a %d %b %Y, %H:%M %z")
"""From the shortest to one that no two hours share."""


def is_playing() -> bool:
    """Tell whether the viewer sees a film."""
    return _BEGAN in st.session_state


def end_film() -> None:
    """End the film, if the viewer sees one: the page runs anew."""
    if is_playing():
        del st.session_state[_BEGAN]
        st.rerun()


def choose_hour(hours: Sequence[datetime], now: datetime, zone: ZoneInfo) -> datetime | None:
    """Show the slider and the button; return the hour to show, None for all hours.

    ``hours`` are in UTC, oldest first. The caller draws each ``FRAME`` while ``is_playing``, and
    the page runs anew where that begins or ends.
    """
    labels = hour_labels(hours, zone)
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
            format_func=lambda each: labels[each] if each else "All hours",
            key=_HOUR,
            label_visibility="collapsed",
        )
    if has_ended or (began and was_clicked):
        end_film()
    if was_clicked:
        st.session_state[_BEGAN] = now
        st.rerun()
    return hour


def hour_labels(hours: Sequence[datetime], zone: ZoneInfo) -> dict[datetime, str]:
    """Name each hour by its beginning: ``Fri 14:00``, and more where two hours share that.

    The slider tells hours apart by their labels alone.
    """
    labels: dict[datetime, str] = {}
    for form in _LABELS:
        labels = {hour: to_zone(hour, zone).strftime(form) for hour in hours}
        if len(set(labels.values())) == len(labels):
            break
    return labels
