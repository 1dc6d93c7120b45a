"""The page Report: the batch report, and where and when people were seen."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import streamlit as st

from contract.glossary import meaning
from dashboard import sources
from dashboard.charts.heat_map import heat_map
from dashboard.charts.time_bars import time_bars
from dashboard.data.aggregates import counts_by_time, counts_by_zip_code_and_time, with_time_buckets
from dashboard.data.counts import CountsView
from dashboard.data.formatting import format_number, format_time
from dashboard.data.selection import Selection
from dashboard.refresh_intervals import KAFKA_REFRESH_S
from dashboard.views.camera_choice import open_zip_code
from dashboard.views.report_headline import report_headline
from dashboard.views.report_map import report_map_by_hour
from dashboard.views.report_table import report_table
from dashboard.views.report_totals import report_totals
from dashboard.widgets.clicks import clicked_zip_code
from dashboard.widgets.hour_player import FRAME, end_film, is_playing
from dashboard.widgets.notices import show_no_counts, show_source_status, show_unreadable_counts
from dashboard.widgets.selection_controls import select_counts
from dashboard.widgets.status_badges import show_status_badges
from dashboard.widgets.viewer import viewer_chart_theme, viewer_time_zone

BAR_CHART_HEIGHT = 400


def report_page() -> None:
    """Show the page; a refresh draws only the numbers again."""
    st.title("People seen by zip code and hour", anchor=False)
    view = sources.counts().read().value
    zip_codes = view.zip_codes if view else []
    top = st.container(key="top")
    top.empty()  # without anything in it, it would not be drawn before its words are known
    selection = select_counts(sources.settings().threshold, zip_codes, sources.device_places())
    with top:
        report_headline(selection)
    refresh = FRAME if is_playing() else KAFKA_REFRESH_S
    st.fragment(report_numbers, run_every=refresh)(selection, has_zip_codes=bool(zip_codes))


def report_numbers(selection: Selection, has_zip_codes: bool) -> None:
    """Show the current counts; ``has_zip_codes`` tells whether the controls offer any."""
    snapshot = sources.counts().read()
    now = datetime.now(UTC)
    zone = viewer_time_zone()
    show_source_status(snapshot, now)
    view = snapshot.value
    if view is None:
        return
    live = sources.live().read()
    if view.rows.empty:
        show_no_counts(live, now)
    else:
        if not has_zip_codes:
            st.rerun()  # the controls can offer zip codes now
        show_status_badges(view.last_update, live, sources.check_runner(), now)
        selected_counts(view, selection, now, zone)
    show_unreadable_counts(view.unreadable_total, view.unreadable)
    if snapshot.read_at:
        st.caption(
            f"Times are in {zone.key}. Last read from Kafka at "
            f"{format_time(snapshot.read_at, zone)}. "
            f"A sighting: {meaning('sighting')} Choose a row, or click on a circle or a cell, "
            "to see the cameras there."
        )


def selected_counts(view: CountsView, selection: Selection, now: datetime, zone: ZoneInfo) -> None:
    """Show the selected counts as totals, table, map and charts."""
    selected = view.select(selection, now)
    if selected.rows.empty:
        end_film()  # there is nothing to play, and no button to stop it
        st.info("There are no counts for the selected hours and zip codes.")
        return
    report_totals(view, selected, selection, now, zone)
    left, right = st.columns(2, gap="medium")
    with left:
        report_table(selected, selection, zone)
    with right:
        hour = report_map_by_hour(view, selected, now, zone)
    rows, unit = with_time_buckets(selected.rows[selected.rows["start"] <= now], zone)
    if rows.empty:
        return
    theme = viewer_chart_theme()
    span = rows["from"].min(), rows["to"].max()
    with left:
        title = f"Sightings by {unit}"
        st.header(title, anchor=False)
        buckets = counts_by_time(rows, selection.threshold)
        st.vega_lite_chart(
            time_bars(buckets, span, zone, theme, BAR_CHART_HEIGHT), key="hours", alt=title
        )
    with right:
        cells, others = counts_by_zip_code_and_time(rows)
        cells["place"] = cells["zip_code"].map(sources.device_places().name)
        title = f"Sightings by zip code and {unit}"
        st.header(title, anchor=False)
        clicked = clicked_zip_code(heat_map(cells, span, zone, theme, hour), key="heat", alt=title)
        if clicked:
            open_zip_code(clicked)
        if others:
            st.caption(
                "These are the zip codes with the most sightings. "
                f"{format_number(others)} more {'is' if others == 1 else 'are'} not shown."
            )
