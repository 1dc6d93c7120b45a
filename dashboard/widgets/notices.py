"""Notices for numbers that are missing, out of date or incomplete.

Text from outside (errors, records) is shown by ``st.code`` alone, which interprets nothing.
"""

from datetime import datetime, timedelta

import streamlit as st

from contract.errors import UserError
from contract.quantities import format_quantity
from contract.redaction import redact_text
from dashboard.data.background_value import STALE_AFTER, Snapshot
from dashboard.data.formatting import format_age, format_time
from dashboard.data.live_view import LiveView
from dashboard.data.no_counts import why_no_counts
from dashboard.widgets.viewer import viewer_time_zone


def show_verbatim(text: str) -> None:
    """Show text from outside exactly as it is."""
    st.code(text, language=None, wrap_lines=True)


def show_settings_error(problem: str) -> None:
    """Show which settings are wrong and why."""
    st.error("The dashboard cannot start with these settings. Correct them and restart it.")
    show_verbatim(problem)


def show_unreadable(what: str, error: UserError) -> None:
    """Show that something cannot be read, and why; ``what`` begins the sentence."""
    st.warning(f"{what} cannot be read.", icon=":material/cloud_off:")
    show_verbatim(redact_text(str(error)))


def show_source_status(
    snapshot: Snapshot[object],
    now: datetime,
    source: str = "Kafka",
    stale_after: timedelta = STALE_AFTER,
) -> None:
    """Show a notice if a source has given no value yet or is unavailable; else nothing.

    The notice has a place of its own, and goes before what comes below it is drawn: otherwise it
    would go when all is drawn, and move it up.
    """
    notice = st.empty()
    if snapshot.read_at is not None and not snapshot.is_unavailable(now, stale_after):
        return
    with notice.container():
        _show_notice(snapshot, now, source)


def _show_notice(snapshot: Snapshot[object], now: datetime, source: str) -> None:
    title = source[0].upper() + source[1:]
    if snapshot.is_pending:
        st.info(f"Reading from {source} …", icon=":material/hourglass_top:")
    elif snapshot.is_not_there_yet and snapshot.read_at is None:
        st.info(snapshot.problem, icon=":material/hourglass_top:")
        return
    elif snapshot.read_at is None:
        st.warning(
            f"**{title} cannot be read.** The page retries automatically.",
            icon=":material/cloud_off:",
        )
    else:
        read_at, age = format_time(snapshot.read_at, viewer_time_zone()), snapshot.age(now)
        st.warning(
            f"**{title} is unavailable.** The numbers are from {read_at} ({format_age(age)}). "
            "The page retries automatically.",
            icon=":material/cloud_off:",
        )
    if snapshot.problem:
        show_verbatim(redact_text(snapshot.problem))


def show_no_counts(live: Snapshot[LiveView], now: datetime) -> None:
    """Show why there are no counts yet, and what to do about it."""
    st.info(why_no_counts(live, now), icon=":material/hourglass_empty:")


def show_unreadable_counts(total: int, newest: tuple[str, ...]) -> None:
    """Show how many records of the counts' topic are no counts, if any, and the newest of them."""
    if not total:
        return
    verb = "is" if total == 1 else "are"
    st.warning(
        f"**{format_quantity(total, 'record')} of nest-camera-stats {verb} invalid.** "
        f"The counts leave {'it' if total == 1 else 'them'} out.",
        icon=":material/rule:",
    )
    title = f"Newest {len(newest)} invalid records" if total > len(newest) else "Invalid records"
    with st.expander(title):
        show_verbatim("\n".join(newest))
