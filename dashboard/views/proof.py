"""The page Proof: run the check and see its verdict."""

from datetime import UTC, datetime

import streamlit as st

from contract.quantities import format_quantity
from dashboard import sources
from dashboard.data.check_run import CheckRun, missing_packages
from dashboard.data.formatting import format_number, format_seconds
from dashboard.data.proof_headline import proof_headline
from dashboard.refresh_intervals import WATCHED_REFRESH_S
from dashboard.views.proof_verdict import show_verdict
from dashboard.widgets.headline import show_headline
from dashboard.widgets.notices import show_verbatim
from dashboard.widgets.viewer import viewer_time_zone


def proof_page() -> None:
    """Show the page; a refresh draws only the run and its verdict again."""
    st.title("Proof: a recount of every number", anchor=False)
    headline()
    st.markdown(
        "The check is `nest check`. It recounts all messages in `nest-logs` in plain Python, with "
        "code that shares nothing with the pipeline. Then it compares the result with every "
        "column of every archive row, every quarantined record and every count."
    )
    missing = missing_packages()
    if missing:
        st.warning(
            "**The check cannot run here,** because packages are missing. Run `nest check` where "
            "the whole project is installed.",
            icon=":material/extension_off:",
        )
        show_verbatim("missing: " + ", ".join(missing))
        return
    check_status()


@st.fragment(run_every=WATCHED_REFRESH_S)
def headline() -> None:
    """Show how much was compared and whether it differs."""
    runner = sources.check_runner()
    show_headline(proof_headline(runner.current, runner.last_completed), key="headline")


@st.fragment(run_every=WATCHED_REFRESH_S)
def check_status() -> None:
    """Show the controls, the current run and the last verdict."""
    runner = sources.check_runner()
    now = datetime.now(UTC)
    run = runner.current
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            "Run the check",
            icon=":material/fact_check:",
            key="run",
            on_click=runner.start,
            disabled=run.is_running,
        )
        st.button(
            "Stop",
            icon=":material/stop:",
            key="stop",
            on_click=runner.stop,
            disabled=not run.is_running,
        )
    with st.container():
        run_progress(run, now)
    if verdict := runner.last_completed.verdict:
        show_verdict(runner.last_completed, verdict, now, viewer_time_zone())
    elif run.started_at is None:
        st.info(
            "No check has run yet. One check runs at a time, and all viewers see the same one.",
            icon=":material/fact_check:",
        )


def run_progress(run: CheckRun, now: datetime) -> None:
    """Show how far a run is, or why it has no verdict."""
    if run.is_running and run.started_at:
        elapsed = format_seconds((now - run.started_at).total_seconds())
        if run.total:
            done = format_number(run.done)
            text = f"{done} of {format_quantity(run.total, 'message')} recounted, {elapsed}"
            st.progress(min(1.0, run.done / run.total), text=text)
        else:
            st.progress(0.0, text=f"Reading committed offsets and counts, {elapsed}")
    elif run.was_stopped:
        st.info("The check was stopped, so it has no verdict.", icon=":material/stop_circle:")
    elif run.problem:
        st.error("**The check failed to run.**", icon=":material/error:")
        show_verbatim(run.problem)
