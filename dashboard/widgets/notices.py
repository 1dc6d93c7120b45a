"""What a page says when its numbers are old, missing or incomplete.

Text from outside (errors, records) is shown by ``st.code`` alone, which interprets nothing.
"""

from datetime import datetime, timedelta

import streamlit as st

from contract.redaction import redact_text
from dashboard.data.background_value import Known
from dashboard.data.formatting import ago, clock, counted, zone_named

SILENCE = timedelta(seconds=6)
"""A source that has not answered for so long is called silent."""
SILENCE_OF_LAKE = timedelta(seconds=20)
"""To read many files may take some seconds."""


def say_verbatim(text: str) -> None:
    """Show text that comes from outside exactly as it is."""
    st.code(text, language=None, wrap_lines=True)


def say_settings_are_wrong(problem: str) -> None:
    """Show what is wrong with the settings."""
    st.error("The dashboard cannot start with these settings. Change them and start it again.")
    say_verbatim(problem)


def say_whether_known(
    known: Known[object], now: datetime, source: str = "Kafka", silence: timedelta = SILENCE
) -> None:
    """Say that there are no numbers yet, or that they are the last known ones; else nothing.

    ``source`` is what they are read from. It is away if it fails, or says nothing for ``silence``.
    """
    zone = zone_named(st.context.timezone)
    silent = known.silent_for(now)
    name = source[0].upper() + source[1:]
    if known.heard is None and known.problem is None:
        st.info(f"Reading from {source} …", icon=":material/hourglass_top:")
    elif known.heard is None:
        st.warning(
            f"**{name} cannot be read yet.** This page goes on by itself as soon as it can.",
            icon=":material/cloud_off:",
        )
    elif known.problem or silent > silence:
        st.warning(
            f"**{name} is away.** These are the last known numbers, from "
            f"{clock(known.heard, zone)} ({ago(silent)}). "
            f"This page goes on by itself as soon as {source} is back.",
            icon=":material/cloud_off:",
        )
    if known.problem:
        say_verbatim(redact_text(known.problem))


def say_nothing_is_counted() -> None:
    """Say that there are no counts, and what makes some."""
    st.info(
        "**Nothing is counted yet.** Counts appear here as soon as the pipeline has seen a person "
        "in a message. If nothing comes within a minute, see whether the producer "
        "(`nest produce`) and the pipeline (`nest pipeline`) run; `nest up` starts everything.",
        icon=":material/hourglass_empty:",
    )


def say_unreadable(total: int, newest: tuple[str, ...]) -> None:
    """Say how many records are no counts, if any, and show the newest of them."""
    if not total:
        return
    st.warning(
        f"**{counted(total, 'record')} of the counts' topic cannot be read** and "
        f"{'is' if total == 1 else 'are'} left out.",
        icon=":material/rule:",
    )
    with st.expander(f"The newest {len(newest)}" if total > len(newest) else "Which"):
        say_verbatim("\n".join(newest))
