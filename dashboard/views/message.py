"""The page Message: one message on its way to the counts and the archive."""

import streamlit as st

from contract.errors import UserError
from dashboard import sources
from dashboard.data.lake.archived_message import ArchivedMessage, read_archived_message
from dashboard.data.live_view import LiveView
from dashboard.data.message import Message, NoSuchMessage, Position, read_message
from dashboard.data.message_stops import query_stops, sighting_stop
from dashboard.refresh_intervals import WATCHED_REFRESH_S
from dashboard.views.message_choice import choose_message
from dashboard.views.message_details import (
    show_archived,
    show_counted,
    show_stops,
    show_value,
)
from dashboard.widgets.notices import show_unreadable
from dashboard.widgets.viewer import viewer_time_zone

KEPT_SECONDS = 10
"""How long is shown what was read once: topic or table may be recreated meanwhile."""


def message_page() -> None:
    """Show the page; a refresh draws only the message's way again."""
    st.title("One message on its way", anchor=False)
    position = choose_message()
    if position:
        way_of_message(position)
        return
    st.info(
        "**Choose a message** by its partition and offset in nest-logs, or take the newest one in "
        "which a camera has just seen a person.",
        icon=":material/conversion_path:",
    )


@st.fragment(run_every=WATCHED_REFRESH_S)
def way_of_message(position: Position) -> None:
    """Show how far a message has come, and what became of it."""
    zone = viewer_time_zone()
    live = sources.live().read().value or LiveView()
    stops = query_stops(live, position)
    try:
        with st.spinner("Asking Kafka for the message"):  # it shows only what takes half a second
            message = cached_message(position)
    except NoSuchMessage as missing:
        message = None
        st.info(str(missing), icon=":material/search_off:")
    except UserError as error:
        message = None
        show_unreadable("Kafka", error)
    try:
        is_complete = all(stop.is_reached for stop in stops)
        archived = cached_rows(position) if is_complete else read_rows(position)
    except UserError as error:
        archived = None
        show_unreadable("The lake", error)
    if message:
        events = archived.person_events if archived and not archived.rows.empty else None
        sighting = sighting_stop(live, message, events)
        show_stops(message, [sighting, *stops] if sighting else stops, zone)
    if archived:
        show_counted(archived, position, zone)
        show_archived(archived, zone)
    if message:
        show_value(message)


@st.cache_data(show_spinner=False, max_entries=50, ttl=KEPT_SECONDS)
def cached_message(position: Position) -> Message:
    """Read a message once in a while; UserError where Kafka has none at the position."""
    return read_message(sources.settings().kafka, position)


@st.cache_data(show_spinner=False, max_entries=50, ttl=KEPT_SECONDS)
def cached_rows(position: Position) -> ArchivedMessage:
    """Read the rows of a message that has come to the archive."""
    return read_rows(position)


def read_rows(position: Position) -> ArchivedMessage:
    """Read what the lake has of a message; UserError if it cannot be read."""
    settings = sources.settings()
    return read_archived_message(
        settings.lake, position, lateness=settings.lateness, clock_skew=settings.clock_skew
    )
