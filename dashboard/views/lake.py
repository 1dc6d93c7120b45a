"""The page Lake: tables and their history, time travel, and quarantine."""

from datetime import UTC, datetime

import streamlit as st

from contract.redaction import redact_url
from dashboard import sources
from dashboard.data.background_value import LAKE_STALE_AFTER
from dashboard.data.formatting import escape_markdown, format_time
from dashboard.refresh_intervals import LAKE_REFRESH_S
from dashboard.views.lake_table import lake_table
from dashboard.views.quarantine import quarantine
from dashboard.views.time_travel import time_travel
from dashboard.widgets.notices import show_source_status
from dashboard.widgets.query_params import initial_param, show_unusable_choice
from dashboard.widgets.viewer import viewer_time_zone

TABS = ["Tables", "Time travel", "Quarantine"]


def lake_page() -> None:
    """Show the page; a refresh draws only the numbers again."""
    st.title("Lake", anchor=False)
    view = sources.lake().read().value
    names = list(view.tables) if view else []
    initial_param("tab")  # as it is before the tabs take out what they do not know
    tables_tab, time_travel_tab, quarantine_tab = st.tabs(
        TABS,
        key="tab",
        on_change="rerun",
        bind="query-params",
    )
    show_unusable_choice("tab", TABS)
    with tables_tab:
        current_tables(names)
    with time_travel_tab:
        notice_of_lake()
        if view and names:
            time_travel(view)
    with quarantine_tab:
        quarantine()


@st.fragment(run_every=LAKE_REFRESH_S)
def notice_of_lake() -> None:
    """Show a notice if the lake cannot be read."""
    show_source_status(sources.lake().read(), datetime.now(UTC), "the lake", LAKE_STALE_AFTER)


@st.fragment(run_every=LAKE_REFRESH_S)
def current_tables(offered_names: list[str]) -> None:
    """Show the current tables; ``offered_names`` are those that the page offers for time travel."""
    snapshot = sources.lake().read()
    now = datetime.now(UTC)
    zone = viewer_time_zone()
    show_source_status(snapshot, now, "the lake", LAKE_STALE_AFTER)
    if snapshot.value is None:
        return
    if list(snapshot.value.tables) != offered_names:
        st.rerun()  # the page can offer other tables now
    for table in snapshot.value.tables.values():
        lake_table(table, now, zone)
    if snapshot.read_at:
        st.caption(
            f"The lake is at {escape_markdown(redact_url(sources.settings().lake))}. Last read at "
            f"{format_time(snapshot.read_at, zone)}. Times are in {zone.key}. Rows, files and "
            "sizes are from the Delta log."
        )
