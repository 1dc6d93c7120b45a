"""What is in quarantine: reasons, and samples as they are."""

import streamlit as st

from dashboard import sources
from dashboard.data.formatting import clock, counted, number, plain, zone_named
from dashboard.data.lake.quarantine import QuarantineView
from dashboard.widgets.notices import say_verbatim

REFRESH = 3
_REASONS = {
    "malformed": "not one JSON object of the right shape; nothing of it is archived",
    "camera": "a camera without device_id; its neighbours are archived",
    "field": "a field of a wrong type; null in the archive",
    "future": "an event from the future; archived, not counted",
}


@st.fragment(run_every=REFRESH)
def quarantine() -> None:
    """Show why records are in quarantine and what the newest look like."""
    known = sources.lake().read().value
    if known is None:
        return
    view: QuarantineView = known.quarantine
    zone = zone_named(st.context.timezone)
    if not view.reasons:
        st.info("Nothing is in quarantine.", icon=":material/check_circle:")
        return
    with st.container(horizontal=True):
        for reason, records in view.reasons.items():
            st.metric(plain(reason), number(records), help=_REASONS.get(reason), width=170)
    for reason, samples in view.samples.items():
        st.subheader(plain(reason), anchor=False)
        if reason in _REASONS:
            st.caption(_REASONS[reason][0].upper() + _REASONS[reason][1:] + ".")
        for sample in samples:
            title = f"partition {sample.partition}, offset {number(sample.offset)}, "
            with st.expander(title + clock(sample.timestamp, zone)):
                say_verbatim(sample.detail)
                if sample.raw is None:
                    st.caption("The record had no value.")
                else:
                    say_verbatim(sample.raw or " ")
                    if sample.length > len(sample.raw):
                        st.caption(f"The beginning of {counted(sample.length, 'character')}.")
