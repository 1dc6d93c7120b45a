"""A row of key figures."""

from collections.abc import Iterable
from typing import NamedTuple

import streamlit as st


class Metric(NamedTuple):
    """A key figure: its label, its value as text, and optionally a tooltip and a comparison."""

    label: str
    value: str
    help: str | None = None
    delta: str | None = None


def metric_row(metrics: Iterable[Metric], width: int = 170, *, shows_arrows: bool = True) -> None:
    """Show metrics side by side, ``width`` pixels each; they wrap on a narrow screen.

    A delta has no colour, since more is neither good nor bad; ``shows_arrows`` gives it an arrow.
    """
    with st.container(horizontal=True):
        for metric in metrics:
            st.metric(
                metric.label,
                metric.value,
                help=metric.help,
                delta=metric.delta,
                delta_color="off",
                delta_arrow="auto" if shows_arrows else "off",
                width=width,
            )
