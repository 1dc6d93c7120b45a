"""The injected dirt and what was caught of it, as pairs of bars."""

from collections.abc import Sequence
from html import escape
from typing import Any

import streamlit as st

from dashboard.data.formatting import format_number

_GRID = "display:grid;grid-template-columns:max-content 1fr max-content;gap:0.6rem 1rem"
_BAR = "height:0.7rem;min-width:2px;border-radius:2px;margin:0.1rem 0"
_COLORS = {"injected": "var(--st-gray-text-color, #7a8794)", "caught": "#2e8b6f"}


def show_dirt_bars(kinds: Sequence[dict[str, Any]]) -> None:
    """Show a pair of bars for each kind of dirt: how much was injected, and how much was caught."""
    if kinds:
        most = max(int(each["injected"]) for each in kinds) or 1
        rows = "".join(_row(each, most) for each in kinds)
        st.html(f'<div style="{_GRID};align-items:center;font-size:1rem">{rows}</div>')


def _row(kind: dict[str, Any], most: int) -> str:
    bars = "".join(
        f'<div style="{_BAR};background:{color};width:{100 * int(kind[name]) / most:.2f}%"></div>'
        for name, color in _COLORS.items()
    )
    caught, injected = (format_number(int(kind[name])) for name in ("caught", "injected"))
    return (
        f"<span>{escape(str(kind['kind']))}</span><div>{bars}</div>"
        f"<span>{caught} of {injected} caught</span>"
    )
