"""Query parameters of the address: they keep a viewer's choices, so that a view can be shared.

Some controls bind themselves to a query parameter. These functions are for the others: numbers that
may be written in any way, instants that are in UTC there and in the viewer's time zone on the page,
and choices whose label is not what the address has. Each choice is a step of the browser's history,
which Back undoes.
"""

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from dashboard.data.query_values import has_unknown_zip_code, instant_text


def initial_param(name: str) -> str:
    """Return the value that a query parameter had when the viewer arrived; empty if it had none.

    A control starts with this value. Streamlit resets a control whose initial value changes, so
    the value stays the same for the whole session.
    """
    return str(st.session_state.setdefault(f"initial {name}", st.query_params.get(name, "")))


def initial_params(name: str) -> list[str]:
    """Return all the values that a query parameter had when the viewer arrived."""
    return list(st.session_state.setdefault(f"initials {name}", st.query_params.get_all(name)))


def set_param(name: str, value: int | datetime | str | Sequence[str] | None) -> None:
    """Write a value into the address, instants in UTC; None or no value removes the parameter."""
    if value is None or value == []:
        st.query_params.pop(name, None)
    elif isinstance(value, datetime):
        st.query_params[name] = instant_text(value)
    elif isinstance(value, int | str):
        st.query_params[name] = str(value)
    else:
        st.query_params[name] = list(value)


def follow_history(key: str, value: object) -> None:
    """Give a control the ``value`` of the address if the viewer came here by Back or Forward."""
    run = get_script_run_ctx()
    if run is not None and run.is_history_navigation and key in st.session_state:
        st.session_state[key] = value


def show_unusable_param(name: str, wanted: str, is_usable: bool, noun: str | None = None) -> None:
    """Show that the viewer's address had a value that is not what is ``wanted``.

    The sentence is there until the viewer has chosen another value. It does not repeat the value,
    which may be anything.
    """
    initial = initial_param(name)
    if is_usable or not initial:
        return
    if st.query_params.get(name, initial) != initial:
        st.session_state[f"initial {name}"] = ""
        return
    st.info(
        f"The {noun or name} in the address is not {wanted}, so the page chose one.",
        icon=":material/link_off:",
    )


def show_unusable_choice(name: str, choices: Iterable[str], noun: str | None = None) -> None:
    """Show that the viewer's address had a value that is not among the ``choices``."""
    names = list(choices)
    wanted = f"one of {', '.join(names)}"
    show_unusable_param(name, wanted, initial_param(name) in names, noun)


def show_unknown_zip_codes(chosen: Iterable[str], known: Collection[str]) -> None:
    """Show that a chosen zip code is not known; only an address can have chosen it.

    It stays chosen, because its first count may be on its way.
    """
    if has_unknown_zip_code(chosen, known):
        st.info(
            "No camera in the device locations has the zip code in the address.",
            icon=":material/link_off:",
        )
