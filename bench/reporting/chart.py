"""The throughput of the contenders as a bar chart (SVG)."""

from pathlib import Path

import altair as alt

from bench.contenders.registry import CONTENDERS
from bench.reporting.results import Results


def draw(results: Results, path: Path) -> None:
    """Draw each contender's messages per second, with its slowest and its fastest round."""
    rows = [
        {
            "contender": name if each["counts_ok"] else f"{name} (WRONG)",
            "messages per second": each["msg_s"],
            "low": each["msg_s_spread"][0],
            "high": each["msg_s_spread"][1],
            "project": "this project" if CONTENDERS[name].is_ours else "others",
        }
        for name, each in results["contenders"].items()
    ]
    base = alt.Chart(alt.Data(values=rows)).encode(
        y=alt.Y("contender:N", sort=None, title=None),
        color=alt.Color(
            "project:N",
            legend=alt.Legend(title=None, orient="top"),
            scale=alt.Scale(domain=["this project", "others"], range=["#1f77b4", "#b5b5b5"]),
        ),
    )
    bars = base.mark_bar(height=16).encode(
        x=alt.X("messages per second:Q", axis=alt.Axis(format=",d"), title="messages per second")
    )
    spread = base.mark_rule(color="#333").encode(
        x=alt.X("low:Q", title="messages per second"), x2="high:Q", color=alt.value("#333")
    )
    (bars + spread).properties(width=520, background="white").save(str(path))
