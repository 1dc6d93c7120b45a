"""The first page: the batch report, the sightings by hour, and whether they can be trusted."""

from datetime import UTC, datetime, timedelta

import streamlit as st

from dashboard import sources
from dashboard.address import remember, whole_number
from dashboard.charts import hours_chart
from dashboard.counts import CountsView
from dashboard.figures import ago, clock, number, zone_named
from dashboard.notices import say_nothing_is_counted, say_unreadable, say_whether_known

REFRESH = 2
"""Seconds between two refreshes of the numbers."""
SHOWN_ROWS = 1000
"""A longer table helps nobody; the highest counts come first."""
SPAN = timedelta(days=3)
"""What the chart looks back on."""
HEIGHT = 400
"""Of table and chart, pixels."""


def report_page() -> None:
    """Show the page; only its numbers are drawn again on a refresh."""
    with st.container(
        horizontal=True, horizontal_alignment="distribute", vertical_alignment="bottom"
    ):
        st.title("People seen by zip code and hour", anchor=False, width="content")
        threshold = st.number_input(
            "Report hours with more sightings than",
            min_value=0,
            value=whole_number("threshold", sources.settings().threshold),
            step=100,
            key="threshold",
            on_change=remember,
            args=("threshold",),
            width=260,
        )
    numbers(threshold)


@st.fragment(run_every=REFRESH)
def numbers(threshold: int) -> None:
    """Show what is known now."""
    known = sources.counts().read()
    now = datetime.now(UTC)
    with st.container():  # always there, so that a notice moves no other element's place
        say_whether_known(known, now)
    view = known.value
    if view is None:
        return
    if view.rows.empty:
        say_nothing_is_counted()
    else:
        totals(view, threshold, now)
        left, right = st.columns([2, 3], gap="large")
        with left:
            report_table(view, threshold)
        with right:
            by_hour(view, threshold, now)
    say_unreadable(view.unreadable, view.unreadable_newest)
    if known.heard:
        zone = zone_named(st.context.timezone)
        st.caption(
            f"Hours are in {zone.key}. Kafka last answered at {clock(known.heard, zone)}. "
            "A sighting is one camera event in which a person was seen."
        )


def totals(view: CountsView, threshold: int, now: datetime) -> None:
    """Show the figures that matter most."""
    figures = {
        "Sightings": number(view.total),
        f"Reported, above {number(threshold)}": number(len(view.above(threshold))),
        "Zip codes": number(view.zip_codes),
        "Last updated": ago(now - view.updated) if view.updated else "unknown",
    }
    with st.container(horizontal=True):
        for label, figure in figures.items():
            st.metric(label, figure, width=170)


def report_table(view: CountsView, threshold: int) -> None:
    """Show the report, highest counts first."""
    rows = view.above(threshold)
    st.subheader("The report", anchor=False)
    if rows.empty:
        highest = number(int(view.rows["count"].iloc[0]))
        st.info(
            f"No zip code had more than {number(threshold)} sightings in an hour. "
            f"The most so far is {highest}."
        )
        return
    zone = zone_named(st.context.timezone)
    st.dataframe(
        rows.head(SHOWN_ROWS)[["zip_code", "start", "count"]],
        height=HEIGHT,
        hide_index=True,
        key="report",
        column_config={
            "zip_code": st.column_config.TextColumn("Zip code"),
            "start": st.column_config.DatetimeColumn(
                "Hour from", format="ddd D MMM, HH:mm", timezone=zone.key
            ),
            "count": st.column_config.ProgressColumn(
                "Sightings",
                format="localized",
                min_value=0,
                max_value=int(rows["count"].iloc[0]),
                color="primary",
            ),
        },
    )
    if len(rows) > SHOWN_ROWS:
        st.caption(f"The highest {number(SHOWN_ROWS)} of {number(len(rows))}.")


def by_hour(view: CountsView, threshold: int, now: datetime) -> None:
    """Show the sightings by hour."""
    st.subheader(f"Sightings by hour, last {SPAN.days} days", anchor=False)
    hours = view.by_hour(threshold, now, SPAN)
    zone = zone_named(st.context.timezone)
    st.altair_chart(hours_chart(hours, zone, HEIGHT), key="hours")
