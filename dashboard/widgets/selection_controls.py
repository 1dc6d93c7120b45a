"""The controls that select a part of the counts; the address keeps them, so views can be shared."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import streamlit as st

from dashboard.data.selection import Selection
from dashboard.widgets.query_params import (
    FIRST_INSTANT,
    LAST_INSTANT,
    initial_instant,
    initial_param,
    initial_whole_number,
    set_param,
)
from dashboard.widgets.viewer import viewer_time_zone

ALL_HOURS = "All"
FROM_TO = "From/to"
LOOKBACKS = {
    "24 h": timedelta(hours=24),
    "3 days": timedelta(days=3),
    "7 days": timedelta(days=7),
}
"""Choices of hours that end with the newest one. The address holds these texts."""
_HOUR = timedelta(hours=1)


def select_counts(default_threshold: int, zip_codes: Sequence[str]) -> Selection:
    """Show the controls and return what the viewer has selected with them.

    ``zip_codes`` are the ones on offer; any other can be typed.
    """
    with st.container(horizontal=True, vertical_alignment="bottom"):
        threshold = st.number_input(
            "Report threshold (sightings per hour)",
            min_value=0,
            value=initial_whole_number("threshold", default_threshold),
            step=100,
            key="threshold",
            persist_state="session",
            width=250,
        )
        set_param("threshold", None if threshold == default_threshold else threshold)
        hours = st.segmented_control(
            "Hours",
            [*LOOKBACKS, ALL_HOURS, FROM_TO],
            default=ALL_HOURS,
            required=True,
            key="hours",
            bind="query-params",
            width="content",
        )
        selected_zip_codes = st.multiselect(
            "Zip codes",
            list(zip_codes),
            placeholder="All zip codes",
            accept_new_options=True,
            key="zip",
            bind="query-params",
            width=300,
        )
        start, end = _select_range() if hours == FROM_TO else _clear_range()
    if start and end:
        _show_range_problems(start, end)
    return Selection(
        threshold,
        LOOKBACKS.get(hours or ALL_HOURS),
        start,
        end,
        tuple(map(str, selected_zip_codes)),
    )


def _select_range() -> tuple[datetime, datetime]:
    """Show inputs for a start and an end in the viewer's time zone; return both in UTC."""
    zone = viewer_time_zone()
    this_hour = datetime.now(UTC).replace(minute=0, second=0, microsecond=0)
    # The default must not move while the page is open.
    this_hour = st.session_state.setdefault("hour of arrival", this_hour)
    start = _select_instant("from", "From", this_hour - timedelta(days=1), zone)
    return start, _select_instant("to", "To", this_hour + _HOUR, zone)


def _clear_range() -> tuple[None, None]:
    """Remove start and end from the address."""
    for name in ("from", "to"):
        set_param(name, None)
    return None, None


def _select_instant(name: str, label: str, default: datetime, zone: ZoneInfo) -> datetime:
    local = st.datetime_input(
        f"{label}, {zone.key}",
        value=_local(initial_instant(name) or default, zone),
        min_value=_local(FIRST_INSTANT, zone),
        max_value=_local(LAST_INSTANT, zone),
        key=f"{name} {zone.key}",
        step=_HOUR,
        persist_state="session",
        width=220,
    )
    instant = local.replace(tzinfo=zone).astimezone(UTC)
    set_param(name, instant)
    return instant


def _local(instant: datetime, zone: ZoneInfo) -> datetime:
    return instant.astimezone(zone).replace(tzinfo=None)


def _show_range_problems(start: datetime, end: datetime) -> None:
    """Show which of the chosen hours cannot be used, if any, and what the page shows instead."""
    for name in ("from", "to"):
        if initial_param(name) and initial_instant(name) is None:
            st.info(
                f"The address has a {name} that is not a time between {FIRST_INSTANT.year} and "
                f"{LAST_INSTANT.year}, such as 2026-11-20T10:00Z, so the page chose one."
            )
    if start >= end:
        st.info("No hour is selected, because the time From is not before the time To.")
