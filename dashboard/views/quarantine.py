"""What is in quarantine: records by reason, and samples as they are."""

from datetime import UTC, datetime, tzinfo

import streamlit as st

from contract.glossary import meaning
from contract.lake import REASONS
from contract.quantities import format_quantity
from dashboard import sources
from dashboard.data.background_value import LAKE_STALE_AFTER
from dashboard.data.formatting import escape_markdown, format_number, format_time
from dashboard.data.lake.quarantine import MAX_SAMPLES, QuarantineSample
from dashboard.data.message import Position
from dashboard.refresh_intervals import LAKE_REFRESH_S
from dashboard.views.message_choice import open_message
from dashboard.widgets.metric_row import Metric, metric_row
from dashboard.widgets.notices import show_source_status, show_verbatim
from dashboard.widgets.viewer import viewer_time_zone


@st.fragment(run_every=LAKE_REFRESH_S)
def quarantine() -> None:
    """Show how many records are in quarantine for each reason, and the newest of them."""
    snapshot = sources.lake().read()
    show_source_status(snapshot, datetime.now(UTC), "the lake", LAKE_STALE_AFTER)
    if snapshot.value is None:
        return
    view = snapshot.value.quarantine
    if not view.reasons:
        st.info("The quarantine is empty.", icon=":material/check_circle:")
        return
    reasons = [
        Metric(escape_markdown(reason), format_number(records))
        for reason, records in view.reasons.items()
    ]
    metric_row(reasons, "reasons")
    zone = viewer_time_zone()
    for reason, samples in view.samples.items():
        st.header(escape_markdown(reason), anchor=False)
        if reason in REASONS:
            st.caption(meaning(f"reason {reason}"))
        for number, each in enumerate(samples):
            show_sample(each, zone, f"button {reason} {each.partition} {each.offset} {number}")
    st.caption(
        f"Of each reason the newest {MAX_SAMPLES} are shown, by the records' timestamps. Times are "
        f"in {zone.key}."
    )


def show_sample(sample: QuarantineSample, zone: tzinfo, key: str) -> None:
    """Show a record as plain text, and a button with this key that leads to its message."""
    position = f"partition {sample.partition}, offset {format_number(sample.offset)}"
    time = format_time(sample.timestamp, zone) if sample.timestamp else "no usable timestamp"
    with st.expander(f"{position}, {time}"):
        if st.button("Open the message", icon=":material/arrow_forward:", key=key):
            open_message(Position(sample.partition, sample.offset))
        show_verbatim(sample.detail)
        if sample.raw is None:
            st.caption("The record has no value.")
            return
        show_verbatim(sample.raw or " ")
        if sample.length > len(sample.raw):
            length = format_quantity(sample.length, "character")
            st.caption(f"This is the start of a value of {length}.")
