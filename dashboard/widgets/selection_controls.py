"""Which part of the counts a viewer looks at; the address keeps it, so views can be shared."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import streamlit as st

from dashboard.data.formatting import zone_named
from dashboard.widgets.query_params import moment, remember, whole_number

ALL = "all"
BETWEEN = "between"
SPANS = {"24h": timedelta(hours=24), "3d": timedelta(days=3), "7d": timedelta(days=7)}
"""Spans that end with the newest hour."""
_LABELS = {
    "24h": "24 h",
    "3d": "3 days",
    "7d": "7 days",
    ALL: "All",
    BETWEEN: "From/to",
}
_HOUR = timedelta(hours=1)


@dataclass(frozen=True)
class Selection:
    """A viewer's choice; moments are in UTC, ``begin`` included and ``end`` not."""

    threshold: int = 0
    span: timedelta | None = None
    """How much of the newest hours; None for all of them."""
    begin: datetime | None = None
    end: datetime | None = None
    zip_codes: tuple[str, ...] = ()
    """None chosen means all."""


def choose(threshold: int, zip_codes: Sequence[str]) -> Selection:
    """Show the controls and return what is chosen with them.

    ``threshold`` is the one to begin with, ``zip_codes`` those to choose from; others can be typed.
    """
    with st.container(horizontal=True, vertical_alignment="bottom"):
        chosen_threshold = st.number_input(
            "Report hours with more sightings than",
            min_value=0,
            value=whole_number("threshold", threshold),
            step=100,
            key="threshold",
            persist_state="session",
            width=250,
        )
        remember("threshold", None if chosen_threshold == threshold else chosen_threshold)
        hours = st.segmented_control(
            "Hours",
            list(_LABELS),
            default=ALL,
            required=True,
            format_func=_LABELS.__getitem__,
            key="hours",
            bind="query-params",
            width="content",
        )
        chosen_zip_codes = st.multiselect(
            "Zip codes",
            list(zip_codes),
            placeholder="All of them",
            accept_new_options=True,
            key="zip",
            bind="query-params",
            width=300,
        )
        begin, end = _between() if hours == BETWEEN else _not_between()
    return Selection(
        chosen_threshold, SPANS.get(hours or ALL), begin, end, tuple(map(str, chosen_zip_codes))
    )


def _between() -> tuple[datetime, datetime]:
    """Ask for a first and a last moment; in the address they are in UTC, for viewers anywhere."""
    zone = zone_named(st.context.timezone)
    now = datetime.now(UTC).replace(minute=0, second=0, microsecond=0)
    now = st.session_state.setdefault("hour of arrival", now)
    begin = _moment("from", "From", now - timedelta(days=1), zone)
    return begin, _moment("to", "Up to", now + _HOUR, zone)


def _not_between() -> tuple[None, None]:
    """Take the moments out of the address."""
    for name in ("from", "to"):
        remember(name, None)
    return None, None


def _moment(name: str, label: str, default: datetime, zone: ZoneInfo) -> datetime:
    local = st.datetime_input(
        f"{label}, {zone.key}",
        value=moment(name, default).astimezone(zone).replace(tzinfo=None),
        key=f"{name} {zone.key}",
        step=_HOUR,
        persist_state="session",
        width=220,
    )
    chosen = local.replace(tzinfo=zone).astimezone(UTC)
    remember(name, chosen)
    return chosen
