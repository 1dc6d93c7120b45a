"""The script that Streamlit runs for `nest dashboard`."""

from pathlib import Path

import streamlit as st

from contract.errors import UserError
from dashboard import sources
from dashboard.views.cameras import cameras_page
from dashboard.views.lake import lake_page
from dashboard.views.live import live_page
from dashboard.views.proof import proof_page
from dashboard.views.report import report_page
from dashboard.widgets.notices import show_settings_error

# A new page is one more line here and a file in views/. The pages have no icons, because
# Streamlit fetches the icon of the current page from the network.
PAGES = [
    st.Page(report_page, title="Report", default=True),
    st.Page(live_page, title="Live", url_path="live"),
    st.Page(cameras_page, title="Cameras", url_path="cameras"),
    st.Page(lake_page, title="Lake", url_path="lake"),
    st.Page(proof_page, title="Proof", url_path="proof"),
]

icon = Path(__file__).with_name("icon.svg").read_text(encoding="utf-8")
st.set_page_config(page_title="Nest cameras", page_icon=icon, layout="wide")
page = st.navigation(PAGES, position="top")
try:
    sources.settings()
except UserError as error:
    show_settings_error(str(error))
else:
    page.run()
