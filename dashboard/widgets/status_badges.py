"""In one line: whether the numbers on the page can be trusted."""

from datetime import datetime

import streamlit as st

from contract.queries import STATS
from dashboard import sources
from dashboard.data.background_value import Known
from dashboard.data.check_run import Proof
from dashboard.data.formatting import ago, counted, lasted
from dashboard.data.live import LiveView
from dashboard.widgets.notices import SILENCE


def say_whether_to_trust(updated: datetime | None, now: datetime) -> None:
    """Show how complete the counts are, when one last changed and what the newest check found."""
    changed = f"Last count {ago(now - updated)}" if updated else "No count has a time"
    badges = [
        *_complete(sources.live().read(), now),
        (changed, "gray", "update"),
        _proved(now),
    ]
    with st.container(horizontal=True, gap="small"):
        for text, color, icon in badges:
            st.badge(text, color=color, icon=f":material/{icon}:")  # type: ignore[arg-type]


def _complete(known: Known[LiveView], now: datetime) -> list[tuple[str, str, str]]:
    """Say how far the counts are behind the messages in Kafka, and how fresh they are."""
    live = known.value
    if known.problem or known.silent_for(now) > SILENCE:
        return [("How complete the counts are is not known now", "orange", "cloud_off")]
    if live is None or STATS not in live.latest:
        return [("The pipeline has not been heard of yet", "gray", "help")]
    state, behind = live.latest[STATS].state, live.behind(STATS)
    silence = live.silent_for(STATS, now)
    if state == "stopped" and not behind:
        said = [("Every message is counted; the counting has ended", "green", "check")]
    elif state != "running":
        word = "The counting " + ("is restarting" if state == "restarting" else "has stopped")
        said = [(f"{word}; {counted(behind, 'message')} not counted", "orange", "warning")]
    elif silence:
        waits = counted(behind, "message")
        word = f"No word from the counting for {lasted(silence.total_seconds())}; {waits} wait"
        said = [(word, "orange", "warning")]
    elif behind <= 5 * (live.rate("arrived") or 0) + 20:
        said = [("Every message is counted", "green", "check")]
    else:
        said = [(f"Counting; {counted(behind, 'message')} still wait", "orange", "hourglass_top")]
    fresh = live.newest_freshness()
    if fresh and said[0][1] != "orange":
        said.append((f"Reports counted within {lasted(fresh.slow)}", "green", "bolt"))
    return said


def _proved(now: datetime) -> tuple[str, str, str]:
    """Say what the newest check found."""
    check = sources.check()
    last: Proof = check.last
    if check.proof.is_running:
        return "A check is running", "blue", "fact_check"
    if last.ended is None:
        return "Not proved since this page was started", "gray", "fact_check"
    when = ago(now - last.ended)
    if last.holds:
        return f"Proved right {when}", "green", "verified"
    return f"The check found differences {when}", "red", "report"
