"""The injected dirt and what was caught of it, as pairs of bars."""

from collections.abc import Sequence
from html import escape

import streamlit as st

from contract.verdict import InjectedDirt
from dashboard.data.formatting import format_number

_GRID = "display:grid;grid-template-columns:max-content 1fr max-content;gap:0.6rem 1rem"
_BAR = "height:0.7rem;min-width:2px;border-radius:2px;margin:0.1rem 0"
_INJECTED_COLOR = "var(--st-gray-text-color, #7a8794)"
_CAUGHT_COLOR = "#2e8b6f"


def show_dirt_bars(kinds: Sequence[InjectedDirt]) -> None:
    """Show a pair of bars for each kind of dirt: how much was injected, and how much was caught."""
    if kinds:
        most = max(each.injected for each in kinds) or 1
        rows = "".join(_row(each, most) for each in kinds)
        st.html(f'<div style="{_GRID};align-items:center;font-size:1rem">{rows}</div>')


def _row(dirt: InjectedDirt, most: int) -> str:
    bars = "".join(
        f'<div style="{_BAR};background:{color};width:{100 * number / most:.2f}%"></div>'
        for number, color in ((dirt.injected, _INJECTED_COLOR), (dirt.caught, _CAUGHT_COLOR))
    )
    return (
        f"<span>{escape(dirt.kind)}</span><div>{bars}</div>"
        f"<span>{format_number(dirt.caught)} of {format_number(dirt.injected)} caught</span>"
    )
