"""The links to all pages, above each page: on every screen the same, with nothing to open."""

from collections.abc import Sequence

import streamlit as st


def page_links(pages: Sequence[st.Page]) -> None:
    """Show a link to each page; the current one is marked."""
    with st.container(horizontal=True, gap="small", key="pages"):
        for page in pages:
            st.page_link(page, width="content")
