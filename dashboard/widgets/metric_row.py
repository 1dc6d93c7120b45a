"""A row of key figures."""

from collections.abc import Iterable
from typing import NamedTuple

import streamlit as st

_MIN_WIDTH = 112
_LABEL_CHARACTER, _HELP = 6.5, 30
_VALUE_CHARACTER = 14
_NOTE_CHARACTER, _NOTE_MARGIN, _ARROW = 6, 14, 18
"""Pixels of a character, and of what stands beside it."""


class Metric(NamedTuple):
    """A key figure: its label and value, and optionally a tooltip, a comparison and a note.

    The note is a small line under the figure, where there is no comparison.
    """

    label: str
    value: str
    help: str | None = None
    delta: str | None = None
    note: str | None = None


def metric_row(metrics: Iterable[Metric], key: str, *, shows_arrows: bool = True) -> None:
    """Show metrics side by side; they wrap on a narrow screen. The ``key`` is the row's own.

    Each is as wide as its text, so that all of them stand in one row on a projector. A delta has no
    colour, since more is neither good nor bad; ``shows_arrows`` gives it an arrow.
    """
    row = list(metrics)
    has_notes = any(each.delta or each.note for each in row)
    # The style sheet knows how high a row is before its figures are there.
    with st.container(horizontal=True, key=f"figures {'noted ' if has_notes else ''}{key}"):
        for metric in row:
            st.metric(
                metric.label,
                metric.value,
                help=metric.help,
                delta=metric.delta or metric.note,
                delta_color="off",
                delta_arrow="auto" if shows_arrows and metric.delta else "off",
                width=_width(metric),
            )


def _width(metric: Metric) -> int:
    note = metric.delta or metric.note or ""
    width = max(
        _MIN_WIDTH,
        _LABEL_CHARACTER * len(metric.label) + _HELP,
        _VALUE_CHARACTER * len(metric.value),
        _NOTE_CHARACTER * len(note) + _NOTE_MARGIN + (_ARROW if metric.delta else 0),
    )
    return round(width)
