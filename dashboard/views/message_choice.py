"""Which message the page Message shows."""

from typing import NoReturn

import streamlit as st

from contract.errors import UserError
from dashboard import sources
from dashboard.data.message import Position, newest_message
from dashboard.data.query_values import HIGHEST_NUMBER, whole_number, whole_number_up_to
from dashboard.widgets.navigation import navigate_to
from dashboard.widgets.notices import show_unreadable
from dashboard.widgets.query_params import (
    follow_history,
    initial_param,
    set_param,
    show_unusable_param,
)

_HIGHEST = Position(partition=HIGHEST_NUMBER, offset=999_999_999_999_999)
"""What can be chosen; an offset has no more digits than every browser keeps exactly."""
_BUTTON_WIDTH = 230
"""Pixels; without it, a phone would put the button in another row as soon as it has its font."""


def open_message(position: Position) -> NoReturn:
    """Leave for a message."""
    navigate_to("message", **{name: str(value) for name, value in position._asdict().items()})


def choose_message() -> Position | None:
    """Let the viewer choose a position in nest-logs, or take the newest message with a person."""
    with st.container(horizontal=True, vertical_alignment="bottom", key="controls message"):
        partition, offset = (_choose_number(*each) for each in _HIGHEST._asdict().items())
        takes_newest = st.button(
            "Newest with a person",
            icon=":material/conversion_path:",
            key="button follow",
            width=_BUTTON_WIDTH,
        )
    for name, highest in _HIGHEST._asdict().items():
        is_usable = whole_number(initial_param(name), highest) is not None
        show_unusable_param(name, whole_number_up_to(highest), is_usable)
    if takes_newest:
        _open_newest()
    return None if partition is None or offset is None else Position(partition, offset)


def _open_newest() -> None:
    """Leave for the newest message; stay and say why where there is none."""
    try:
        newest = newest_message(sources.settings().kafka)
    except UserError as error:
        show_unreadable("Kafka", error)
        return
    if newest:
        open_message(newest)
    st.info("There is no message in nest-logs yet.", icon=":material/hourglass_empty:")


def _choose_number(name: str, highest: int) -> int | None:
    key = f"chosen {name}"
    follow_history(key, whole_number(st.query_params.get(name, ""), highest))
    number: int | None = st.number_input(
        name.capitalize(),
        min_value=0,
        max_value=highest,
        value=whole_number(initial_param(name), highest),
        step=1,
        key=key,
        persist_state="session",
        width=150,
    )
    set_param(name, number)
    return number
