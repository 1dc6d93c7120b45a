"""A headline whose figure counts up in the browser from the last one to the new one."""

from pathlib import Path

import streamlit as st

from dashboard.data.proof_headline import ProofHeadline

_FOLDER = Path(__file__).parent

_component = st.components.v2.component(
    "headline",
    html='<p class="nest-headline"><span class="nest-figure"></span> <span class="nest-words">'
    "</span></p>",
    css=(_FOLDER / "headline.css").read_text(encoding="utf-8"),
    js=(_FOLDER / "headline.js").read_text(encoding="utf-8"),
    isolate_styles=False,
)


def show_headline(headline: ProofHeadline, key: str) -> None:
    """Show the headline, or bring the one of this key up to date."""
    _component(key=key, data=headline._asdict())
