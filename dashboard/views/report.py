"""The first page: the batch report, where and when people were seen, and whether to trust it."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import streamlit as st

from dashboard import sources
from dashboard.charts.heat_map import heat_map
from dashboard.charts.time_bars import hours_chart
from dashboard.charts.zip_map import zip_map
from dashboard.data.aggregates import by_time, by_zip_code, by_zip_code_and_time, time_buckets
from dashboard.data.counts import CountsView, last_full_hour, newest_hour
from dashboard.data.formatting import clock, counted, number, percent, zone_named
from dashboard.views.report_table import report_table
from dashboard.widgets.notices import (
    say_nothing_is_counted,
    say_unreadable,
    say_verbatim,
    say_whether_known,
)
from dashboard.widgets.selection_controls import Selection, choose
from dashboard.widgets.status_badges import say_whether_to_trust

REFRESH = 2
"""Seconds between two refreshes of the numbers."""
HEIGHT = 420
"""Of table and map, pixels."""
CHART_HEIGHT = 400


def report_page() -> None:
    """Show the page; only its numbers are drawn again on a refresh."""
    st.title("People seen by zip code and hour", anchor=False)
    view = sources.counts().read().value
    zip_codes = view.zip_codes if view else []
    numbers(choose(sources.settings().threshold, zip_codes), is_offered=bool(zip_codes))


@st.fragment(run_every=REFRESH)
def numbers(selection: Selection, is_offered: bool) -> None:
    """Show what is known now; ``is_offered`` tells whether there are zip codes to choose from."""
    known = sources.counts().read()
    now = datetime.now(UTC)
    zone = zone_named(st.context.timezone)
    with st.container():  # always there, so that a notice moves no other element's place
        say_whether_known(known, now)
    view = known.value
    if view is None:
        return
    if view.rows.empty:
        say_nothing_is_counted()
    else:
        if not is_offered:
            st.rerun()
        say_whether_to_trust(view.updated, now)
        show(view, selection, now, zone)
    say_unreadable(view.unreadable, view.unreadable_newest)
    if known.heard:
        st.caption(
            f"Hours are in {zone.key}. Kafka last answered at {clock(known.heard, zone)}. "
            "A sighting is one camera event in which a person was seen."
        )


def show(view: CountsView, selection: Selection, now: datetime, zone: ZoneInfo) -> None:
    """Show what is chosen of the counts."""
    part = view.part(selection, now)
    if part.rows.empty:
        st.info("There are no counts for these hours and zip codes. Choose others above.")
        return
    totals(view, part, selection, now, zone)
    left, right = st.columns(2, gap="large")
    with left:
        report_table(part, selection.threshold, zone)
    with right:
        where(view, part)
    rows, unit = time_buckets(part.rows[part.rows["start"] <= now], zone)
    if rows.empty:
        return
    with left:
        st.subheader(f"When, by {unit}", anchor=False)
        hours = by_time(rows, selection.threshold)
        st.altair_chart(hours_chart(hours, zone, CHART_HEIGHT), key="hours")
    with right:
        cells, left_out = by_zip_code_and_time(rows)
        st.subheader(f"Zip code by {unit}", anchor=False)
        st.altair_chart(heat_map(cells, zone), key="heat")
        if left_out:
            st.caption(f"The zip codes with the most; {number(left_out)} have fewer.")


def totals(
    view: CountsView, part: CountsView, selection: Selection, now: datetime, zone: ZoneInfo
) -> None:
    """Show the figures that matter most."""
    rows = view.of_zip_codes(selection.zip_codes)
    hour = last_full_hour(part.rows, now, among=rows)
    reported = part.above(selection.threshold)
    figures: list[tuple[str, str, str | None, str | None]] = [
        ("Sightings", number(part.total), None, "People seen, in what is chosen above."),
        (
            f"Reported, above {number(selection.threshold)}",
            number(len(reported)),
            None,
            "Zip codes and hours with more sightings than the threshold.",
        ),
        ("Zip codes", number(len(part.zip_codes)), None, None),
    ]
    if hour:
        change = hour.change
        local = hour.start.astimezone(zone)
        earlier = local - timedelta(hours=1)
        figures.append(
            (
                f"Last full hour, {local:%H:%M}",
                number(hour.sightings),
                None if change is None else f"{percent(change)} on {earlier:%H:%M}",
                f"The hour before had {number(hour.before)}.",
            )
        )
    newest = newest_hour(part.rows, now)
    if newest:
        label = f"Newest hour, {newest.start.astimezone(zone):%H:%M}"
        figures.append((label, number(newest.sightings), None, "It may be still going on."))
    with st.container(horizontal=True):
        for label, figure, delta, text in figures:
            st.metric(label, figure, delta=delta, delta_color="off", help=text, width=170)


def where(view: CountsView, part: CountsView) -> None:
    """Show the zip codes on a map, and say which of them have no place on it."""
    st.subheader("Where", anchor=False)
    places = sources.places()
    if places.problem:
        st.info(
            "**There is no map:** the table of devices has no coordinates to go by. It may have "
            "the columns latitude and longitude beside device_id and zip_code.",
            icon=":material/location_off:",
        )
        say_verbatim(places.problem)
        return
    sums = by_zip_code(part.rows).assign(zip_code=lambda rows: rows["zip_code"].astype(str))
    placed = sums.merge(places.rows, on="zip_code")
    around = places.rows[places.rows["zip_code"].isin(view.zip_codes)]
    if placed.empty:
        st.info("None of these zip codes has coordinates in the table of devices.")
        return
    st.vega_lite_chart(zip_map(placed, around, HEIGHT), key="map")
    lost = sums[~sums["zip_code"].isin(placed["zip_code"])]
    if len(lost):
        st.caption(
            f"Not on the map, for want of coordinates: {counted(len(lost), 'zip code')} with "
            f"{counted(int(lost['count'].sum()), 'sighting')}."
        )
