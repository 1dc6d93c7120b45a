"""What became of one message: when it came where, what it was counted as, and its rows."""

from collections.abc import Sequence
from datetime import timedelta
from zoneinfo import ZoneInfo

import pandas as pd
import streamlit as st

from contract.glossary import meaning
from contract.instants import whole_hour
from contract.stats import UNPLACED
from dashboard import sources
from dashboard.data.formatting import (
    escape_markdown,
    format_bytes,
    format_latency,
    format_number,
    format_seconds,
    format_time,
)
from dashboard.data.lake.archived_message import ArchivedMessage
from dashboard.data.lake.cameras import with_one_name
from dashboard.data.message import MAX_TEXT_LENGTH, Message, Position
from dashboard.data.message_stops import Stop
from dashboard.views.camera_choice import camera_label, open_camera
from dashboard.widgets.clicks import clicked_row
from dashboard.widgets.metric_row import Metric, metric_row
from dashboard.widgets.notices import show_verbatim
from dashboard.widgets.table_columns import TABLE_HEIGHT, number_column, table_height, time_column
from dashboard.widgets.table_rows import table_rows

_WORTH_A_WORD = timedelta(seconds=10)
"""The page says of a wait that may be so long that it is meant."""
_TELLS_OF_THE_PAST = timedelta(minutes=10)
"""A message that came so long after its own timestamp is one of the history."""


def show_stops(message: Message, stops: Sequence[Stop], zone: ZoneInfo) -> None:
    """Show when the message was sent, and how long after that it came to each stop."""
    figures = [Metric("Sent", format_time(message.timestamp, zone), "The record's timestamp.")]
    figures += [Metric(stop.name, _reached(message, stop)) for stop in stops]
    metric_row(figures, "stops")
    if any(stop.at and stop.at - message.timestamp > _TELLS_OF_THE_PAST for stop in stops):
        st.caption(
            "The timestamp is from the past: the producer has sent the message as a part of the "
            "history before its start, or the pipeline was not running."
        )
    for stop in stops:
        if not stop.is_reached and stop.longest_wait >= _WORTH_A_WORD:
            st.caption(
                f"{stop.name}: within about {format_seconds(stop.longest_wait.total_seconds())}. "
                "A batch of one message costs as much as one of many, so a single message waits "
                "until more have come."
            )


def _reached(message: Message, stop: Stop) -> str:
    if not stop.is_reached:
        return "waiting …"
    return f"+{format_latency(stop.at - message.timestamp)}" if stop.at else "long ago"


def show_counted(archived: ArchivedMessage, position: Position, zone: ZoneInfo) -> None:
    """Show the person events of the message, and for each whether it has raised a count."""
    events = archived.person_events
    if not events:
        if len(archived.rows):
            st.info("No camera tells of a person in this message, so it raises no count.")
        return
    st.header("What it raised", anchor=False, help=meaning("sighting"))
    rows = counted_rows(archived, position)
    st.dataframe(
        rows,
        height=table_height(len(rows), TABLE_HEIGHT),
        hide_index=True,
        placeholder="",
        alt="The person events of the message, and the counts they are in",
        column_config={
            "camera": "Camera",
            "start_time": time_column("Person seen", zone),
            "effect": "Effect",
            "place": "Zip code",
            "hour": time_column("Hour", zone, "D MMM, HH:mm"),
            "count": number_column("Count now"),
        },
    )


def counted_rows(archived: ArchivedMessage, position: Position) -> pd.DataFrame:
    """Return camera, start_time, effect, place, hour and count (now) of each person event."""
    places, counts = sources.device_places(), sources.counts().read().value
    cameras = with_one_name(archived.rows)
    names = dict(zip(cameras["device_id"], cameras["name"], strict=True))
    rows = []
    for event in archived.person_events:
        zip_code = places.zip_code_of.get(event.device_id, UNPLACED)
        hour = whole_hour(event.start_time)
        known = counts.rows_of((zip_code,)) if counts else pd.DataFrame()
        here = known[known["start"] == hour] if len(known) else known
        rows.append(
            {
                "camera": camera_label(event.device_id, names[event.device_id]),
                "start_time": event.start_time,
                "effect": _effect(event.first_report, position),
                "place": places.name(zip_code),
                "hour": hour,
                "count": int(here["count"].iloc[0]) if len(here) else None,
            }
        )
    return pd.DataFrame(rows)


def _effect(first_report: Position | None, position: Position) -> str:
    """Say what the report of an event did that is at a position."""
    if first_report is None:
        return "not on time, so not counted"
    if first_report == position:
        return "raised the count by 1"
    partition, offset = first_report
    return f"counted before, by offset {format_number(offset)} of partition {partition}"


def show_archived(archived: ArchivedMessage, zone: ZoneInfo) -> None:
    """Show the rows of the message in the archive and in quarantine, where it has any."""
    if len(archived.rows):
        st.header("Its rows in the archive", anchor=False, help=meaning("archive"))
        clicked = clicked_row(
            table_rows(archived.rows, zone),
            archived.rows["device_id"].tolist(),
            "rows of message",
            height=table_height(len(archived.rows), TABLE_HEIGHT),
            hide_index=True,
            placeholder="",
            alt="The rows of the message in the archive",
        )
        if clicked is not None:
            open_camera(clicked)
    if len(archived.quarantined):
        st.header("Its rows in quarantine", anchor=False, help=meaning("quarantine"))
        for reason, detail in archived.quarantined[["reason", "detail"]].to_numpy():
            st.markdown(f"**{escape_markdown(reason)}**")
            show_verbatim(detail or " ")


def show_value(message: Message) -> None:
    """Show the value of the record, without credentials."""
    st.header("As it is in Kafka", anchor=False)
    if message.value is None:
        st.caption("The record has no value.")
        return
    is_cut = len(message.value) >= MAX_TEXT_LENGTH
    st.caption(
        f"A value of {format_bytes(message.size)}{', of which this is the start' if is_cut else ''}"
        ". Credentials are hidden."
    )
    if message.is_json:
        st.code(message.value, language="json", height=2 * TABLE_HEIGHT)
    else:
        show_verbatim(message.value or " ")
