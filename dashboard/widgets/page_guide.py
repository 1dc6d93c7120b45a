"""The answer to "What am I looking at?", at the top of each page."""

import streamlit as st

from contract.glossary import meaning
from dashboard.data.formatting import escape_markdown
from dashboard.data.page_guides import FIRST_PAGE, PAGE_GUIDES

_KEY = "page-guide"
"""style.css has its place."""


def show_page_guide(url_path: str) -> None:
    """Show what a page is about and what its terms mean, on request; nothing without a guide."""
    guide = PAGE_GUIDES.get(url_path or FIRST_PAGE)
    if guide is None:
        return
    with (
        st.container(key=_KEY),
        st.popover("What am I looking at?", icon=":material/help:", type="tertiary"),
    ):
        st.markdown(guide.says)
        lines = [
            f"- **{escape_markdown(term)}**: {escape_markdown(meaning(term))}"
            for term in guide.terms
        ]
        st.markdown("\n".join(lines))
