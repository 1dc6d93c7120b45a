"""The verdict of the last check: what it compared, and what became of injected dirt."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

import pandas as pd
import streamlit as st

from contract.glossary import meaning
from contract.message import DIRT_HEADER
from contract.verdict import Comparison, InjectedDirt, Verdict
from dashboard.data.check_run import CheckRun
from dashboard.data.formatting import format_age, format_seconds, format_time
from dashboard.widgets.notices import show_verbatim
from dashboard.widgets.table_columns import number_column, table_height


def show_verdict(run: CheckRun, verdict: Verdict, now: datetime, zone: ZoneInfo) -> None:
    """Show the verdict of a completed run."""
    show_result(run, verdict, now, zone)
    for each in verdict.comparisons:
        if each.examples:
            count = len(each.examples)
            st.markdown(
                f"The first {count} differences of one kind:" if count > 1 else "One difference:"
            )
            show_verbatim("\n".join([each.what, *each.examples]))
    st.header("Comparisons", anchor=False)
    st.dataframe(
        comparison_rows(verdict.comparisons),
        hide_index=True,
        height=table_height(len(verdict.comparisons)),
        key="comparisons",
        column_config={
            "result": "Result",
            "what": st.column_config.TextColumn("What", width="large"),
            "expected": "Expected",
            "found": "Found",
        },
    )
    show_dirt(verdict.dirt)
    if verdict.notes:
        with st.expander("Notes"):
            show_verbatim("\n".join(verdict.notes))


def show_result(run: CheckRun, verdict: Verdict, now: datetime, zone: ZoneInfo) -> None:
    """Show whether the check holds, when it ended and how long it took."""
    ended_at, started_at = run.ended_at or now, run.started_at or now
    duration = format_seconds((ended_at - started_at).total_seconds())
    ended = (
        f"It ended at {format_time(ended_at, zone)} ({zone.key}), {format_age(now - ended_at)}, "
        f"and took {duration}."
    )
    of_all = f"of {len(verdict.comparisons)} comparisons"
    if verdict.holds:
        st.success(
            f"**The check holds: {len(verdict.comparisons)} {of_all} agree.** {ended}",
            icon=":material/verified:",
        )
    else:
        st.error(
            f"**The check does not hold: {len(verdict.differing)} {of_all} differ.** {ended}",
            icon=":material/report:",
        )


def comparison_rows(comparisons: Iterable[Comparison]) -> pd.DataFrame:
    """Return result, what, expected and found, the comparisons that differ first."""
    rows = [
        ("✓ holds" if each.holds else "✗ differs", each.what, each.expected, each.found)
        for each in sorted(comparisons, key=lambda each: each.holds)
    ]
    return pd.DataFrame(rows, columns=["result", "what", "expected", "found"])


def show_dirt(kinds: Sequence[InjectedDirt]) -> None:
    """Show how many records of injected dirt there are, and how many have the expected outcome."""
    st.header("Dirt: injected and caught", anchor=False, help=meaning("dirt"))
    if not kinds:
        st.caption(
            f"No record has the header {DIRT_HEADER}. The demo injects dirt; the settings "
            "NEST_DIRT_... say how much."
        )
        return
    rows = pd.DataFrame(kinds)
    rows.insert(0, "result", (rows["injected"] == rows["caught"]).map({True: "✓", False: "✗"}))
    st.dataframe(
        rows[["result", "kind", "injected", "caught", "becomes"]],
        hide_index=True,
        height=table_height(len(rows)),
        key="dirt",
        column_config={
            "result": "Result",
            "kind": "Kind",
            "injected": number_column("Injected"),
            "caught": number_column("Caught"),
            "becomes": st.column_config.TextColumn("Expected outcome", width="large"),
        },
    )
    st.caption(
        f"The check looks up every record with the header `{DIRT_HEADER}` that the query "
        "archive has read. "
        "The comparisons above tell whether it is counted correctly."
    )
