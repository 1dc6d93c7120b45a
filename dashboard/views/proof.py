"""Run the check from the page, and see what it compared."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pandas as pd
import streamlit as st

from dashboard import sources
from dashboard.data.check_run import Check, Proof, missing_packages
from dashboard.data.formatting import ago, clock, counted, lasted, number, zone_named
from dashboard.widgets import table_columns
from dashboard.widgets.notices import say_verbatim

REFRESH = 1


def proof_page() -> None:
    """Show the page; only what changes is drawn again on a refresh."""
    st.title("Proof: every number, recounted", anchor=False)
    st.markdown(
        "The check recounts everything in `nest-logs` in plain Python, with code that shares "
        "nothing with the pipeline, and compares every column of every archive row, every "
        "quarantined record and every count with it. It is the same as `nest check`."
    )
    missing = missing_packages()
    if missing:
        st.warning(
            "**The check cannot be run from this page:** this installation does not have what it "
            "needs. Run `nest check` where the whole project is installed.",
            icon=":material/extension_off:",
        )
        say_verbatim("missing: " + ", ".join(missing))
        return
    state()


@st.fragment(run_every=REFRESH)
def state() -> None:
    """Show the run that is under way, and the newest that came to a verdict."""
    check = sources.check()
    now = datetime.now(UTC)
    zone = zone_named(st.context.timezone)
    proof = check.proof
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            "Run the check",
            icon=":material/fact_check:",
            key="run",
            on_click=check.start,
            disabled=proof.is_running,
        )
        st.button(
            "Stop it",
            icon=":material/stop:",
            key="stop",
            on_click=check.stop,
            disabled=not proof.is_running,
        )
    with st.container():
        progress(proof, now)
    if check.last.verdict is not None:
        verdict(check, now, zone)
    elif not proof.is_running and not proof.problem:
        st.info(
            "No check has been run since this page was started. One runs at a time; everybody who "
            "has this page open sees the same.",
            icon=":material/fact_check:",
        )


def progress(proof: Proof, now: datetime) -> None:
    """Show how far the run is, or why it came to nothing."""
    if proof.is_running and proof.began:
        elapsed = lasted((now - proof.began).total_seconds())
        if proof.total:
            share = min(1.0, proof.done / proof.total)
            text = f"{number(proof.done)} of {counted(proof.total, 'message')} recounted, {elapsed}"
            st.progress(share, text=text)
        else:
            st.progress(0.0, text=f"Reading what was committed and the counts, {elapsed}")
    elif proof.problem:
        st.error("**The check could not be made.**", icon=":material/error:")
        say_verbatim(proof.problem)


def verdict(check: Check, now: datetime, zone: ZoneInfo) -> None:
    """Show what the newest check compared."""
    proof = check.last
    document = proof.verdict or {}
    ended, began = proof.ended or now, proof.began or now
    when = (
        f"{clock(ended, zone)} ({zone.key}), {ago(now - ended)}; "
        f"it took {lasted((ended - began).total_seconds())}"
    )
    comparisons = document.get("comparisons", [])
    if proof.holds:
        st.success(
            f"**The check holds: all {len(comparisons)} comparisons.** {when}.",
            icon=":material/verified:",
        )
    else:
        wrong = sum(not each["holds"] for each in comparisons)
        st.error(
            f"**The check does not hold: {wrong} of {len(comparisons)} comparisons differ.** "
            f"{when}.",
            icon=":material/report:",
        )
    for each in comparisons:
        if each["examples"]:
            st.markdown(f"What differs in **{len(each['examples'])}** examples:")
            say_verbatim("\n".join([each["what"], *each["examples"]]))
    st.subheader("What was compared", anchor=False)
    st.dataframe(
        comparison_rows(comparisons),
        hide_index=True,
        height=table_columns.height(len(comparisons)),
        key="comparisons",
        column_config={
            "verdict": "",
            "what": st.column_config.TextColumn("What", width="large"),
            "expected": "Must be",
            "found": "Is",
        },
    )
    dirt(document.get("dirt", []))
    notes = document.get("notes", [])
    if notes:
        with st.expander("Notes"):
            say_verbatim("\n".join(map(str, notes)))


def comparison_rows(comparisons: list[dict[str, object]]) -> pd.DataFrame:
    """Return the comparisons as a table, those that differ first."""
    rows = [
        ("✓ holds" if each["holds"] else "✗ differs", each["what"], each["expected"], each["found"])
        for each in sorted(comparisons, key=lambda each: bool(each["holds"]))
    ]
    return pd.DataFrame(rows, columns=["verdict", "what", "expected", "found"])


def dirt(kinds: list[dict[str, object]]) -> None:
    """Show the dirt that was injected against what became of it."""
    st.subheader("Dirt: injected and caught", anchor=False)
    if not kinds:
        st.caption(
            "No record carries the header dirt. The demo injects some; NEST_DIRT_... says how much."
        )
        return
    rows = pd.DataFrame(kinds)
    rows.insert(0, "verdict", (rows["injected"] == rows["caught"]).map({True: "✓", False: "✗"}))
    st.dataframe(
        rows[["verdict", "kind", "injected", "caught", "becomes"]],
        hide_index=True,
        height=table_columns.height(len(rows)),
        key="dirt",
        column_config={
            "verdict": "",
            "kind": "Kind",
            "injected": st.column_config.NumberColumn("Injected", format="localized"),
            "caught": st.column_config.NumberColumn("Caught", format="localized"),
            "becomes": st.column_config.TextColumn("Where it must be found", width="large"),
        },
    )
    st.caption(
        "Each record with the header dirt that the archive has committed, looked up in the lake. "
        "That it is counted once, or not at all, is in the comparisons above."
    )
