"""The controls that select a part of the counts; the address keeps them, so views can be shared."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import streamlit as st

from contract.instants import whole_hour
from dashboard.data.device_places import DevicePlaces
from dashboard.data.query_values import (
    FIRST_INSTANT,
    INSTANT,
    LAST_INSTANT,
    WHOLE_NUMBER,
    instant,
    whole_number,
)
from dashboard.data.selection import Selection
from dashboard.data.selection_query import ALL_HOURS, FROM_TO, HOURS, LOOKBACKS
from dashboard.widgets.query_params import (
    follow_history,
    initial_param,
    initial_params,
    set_param,
    show_unknown_zip_codes,
    show_unusable_choice,
    show_unusable_param,
)
from dashboard.widgets.viewer import viewer_time_zone

_HOUR = timedelta(hours=1)


def select_counts(
    default_threshold: int, zip_codes: Sequence[str], places: DevicePlaces
) -> Selection:
    """Show the controls and return what the viewer has selected with them.

    ``zip_codes`` are the ones on offer, with those of the address.
    """
    initial_param("hours")  # as it is before the control takes a value out that it does not know
    with st.container(horizontal=True, vertical_alignment="bottom", key="controls report"):
        threshold = _select_threshold(default_threshold)
        hours = st.segmented_control(
            "Hours",
            HOURS,
            default=ALL_HOURS,
            required=True,
            key="hours",
            bind="query-params",
            width=330,
            help="Whole hours. The one that is running is the last of them, so of 24 hours 23 are "
            "over.",
        )
        selected_zip_codes = _select_zip_codes(zip_codes, places.name)
        start, end = _select_range() if hours == FROM_TO else (None, None)
    show_unusable_param(
        "threshold", WHOLE_NUMBER, whole_number(initial_param("threshold")) is not None
    )
    show_unusable_choice("hours", HOURS, "choice of hours")
    show_unknown_zip_codes(selected_zip_codes, {*zip_codes, *places.zip_code_of.values()})
    if start and end:
        _show_range_problems(start, end)
    return Selection(
        threshold, LOOKBACKS.get(hours or ALL_HOURS), start, end, tuple(selected_zip_codes)
    )


def _select_threshold(default: int) -> int:
    chosen = whole_number(st.query_params.get("threshold", ""))
    follow_history("threshold", default if chosen is None else chosen)
    initial = whole_number(initial_param("threshold"))
    threshold = st.number_input(
        "Report threshold (sightings per hour)",
        min_value=0,
        value=default if initial is None else initial,
        step=100,
        key="threshold",
        persist_state="session",
        width=235,
    )
    set_param("threshold", None if threshold == default else threshold)
    return threshold


def _select_zip_codes(on_offer: Sequence[str], place_name: Callable[[str], str]) -> list[str]:
    chosen = st.query_params.get_all("zip")
    follow_history("zip", chosen)
    initial = initial_params("zip")
    kept: list[str] = st.session_state.get("zip", [])
    selected: list[str] = st.multiselect(
        "Zip codes",
        sorted({*on_offer, *initial, *chosen, *kept}, key=place_name),
        default=initial,
        format_func=place_name,
        placeholder="All; type a city or a zip code",
        filter_mode="contains",
        key="zip",
        persist_state="session",
        width=265,
    )
    set_param("zip", selected)
    return selected


def _select_range() -> tuple[datetime, datetime]:
    """Show inputs for a start and an end in the viewer's time zone; return both in UTC."""
    zone = viewer_time_zone()
    this_hour = whole_hour(datetime.now(UTC))
    # The default must not move while the page is open.
    this_hour = st.session_state.setdefault("hour of arrival", this_hour)
    with st.container(horizontal=True, width="content"):  # they go to a new line together
        start = select_instant("from", "From", this_hour - timedelta(days=1), zone, _HOUR)
        end = select_instant("to", "To", this_hour + _HOUR, zone, _HOUR)
    return start, end


def select_instant(
    name: str, label: str, default: datetime, zone: ZoneInfo, step: timedelta
) -> datetime:
    """Show an input for an instant in a time zone; return it in UTC.

    The query parameter ``name`` keeps it, unless it is the default.
    """
    key = f"{name} {zone.key}"
    follow_history(key, _local(instant(st.query_params.get(name, "")) or default, zone))
    local = st.datetime_input(
        f"{label}, {zone.key}",
        value=_local(instant(initial_param(name)) or default, zone),
        min_value=_local(FIRST_INSTANT, zone),
        max_value=_local(LAST_INSTANT, zone),
        key=key,
        step=step,
        persist_state="session",
        width=220,
    )
    chosen = local.replace(tzinfo=zone).astimezone(UTC)
    set_param(name, None if chosen == default else chosen)
    return chosen


def _local(moment: datetime, zone: ZoneInfo) -> datetime:
    return moment.astimezone(zone).replace(tzinfo=None)


def _show_range_problems(start: datetime, end: datetime) -> None:
    """Show which of the chosen hours cannot be used, if any, and what the page shows instead."""
    for name in ("from", "to"):
        show_unusable_param(name, INSTANT, instant(initial_param(name)) is not None)
    if start >= end:
        st.info("No hour is selected, because the time From is not before the time To.")
