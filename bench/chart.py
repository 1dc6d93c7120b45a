"""The contenders as a bar chart, SVG."""

from pathlib import Path

import altair as alt

from bench.results import Results

_OURS = ("stats", "archive", "both")


def draw(results: Results, path: Path) -> None:
    """Draw messages a second of each contender, with the slowest and fastest round."""
    rows = [
        {
            "contender": name if each["counts_ok"] else f"{name} (WRONG)",
            "messages a second": each["msg_s"],
            "low": each["msg_s_spread"][0],
            "high": each["msg_s_spread"][1],
            "whose": "this project" if name in _OURS else "others",
        }
        for name, each in results["contenders"].items()
    ]
    base = alt.Chart(alt.Data(values=rows)).encode(
        y=alt.Y("contender:N", sort=None, title=None),
        color=alt.Color(
            "whose:N",
            legend=alt.Legend(title=None, orient="top"),
            scale=alt.Scale(domain=["this project", "others"], range=["#1f77b4", "#b5b5b5"]),
        ),
    )
    bars = base.mark_bar(height=16).encode(
        x=alt.X("messages a second:Q", axis=alt.Axis(format=",d"), title="messages a second")
    )
    spread = base.mark_rule(color="#333").encode(
        x=alt.X("low:Q", title="messages a second"), x2="high:Q", color=alt.value("#333")
    )
    (bars + spread).properties(width=520, background="white").save(str(path))
