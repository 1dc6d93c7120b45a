"""The script that Streamlit runs for `nest dashboard`."""

from pathlib import Path

import streamlit as st

from contract.errors import UserError
from dashboard import sources
from dashboard.garbage_collection import freeze_loaded_objects
from dashboard.views.cameras import cameras_page
from dashboard.views.lake import lake_page
from dashboard.views.live import live_page
from dashboard.views.message import message_page
from dashboard.views.present import present_page
from dashboard.views.proof import proof_page
from dashboard.views.report import report_page
from dashboard.widgets.navigation import run_pending_navigation
from dashboard.widgets.notices import show_settings_error
from dashboard.widgets.page_guide import show_page_guide
from dashboard.widgets.page_links import page_links

# A new page is one more line here and a file in views/. The pages have no icons, because
# Streamlit fetches the icon of the current page from the network.
PAGES = [
    st.Page(report_page, title="Report", default=True),
    st.Page(live_page, title="Live", url_path="live"),
    st.Page(cameras_page, title="Cameras", url_path="cameras"),
    st.Page(message_page, title="Message", url_path="message"),
    st.Page(lake_page, title="Lake", url_path="lake"),
    st.Page(proof_page, title="Proof", url_path="proof"),
    st.Page(present_page, title="Present", url_path="present"),
]

icon = Path(__file__).with_name("icon.svg").read_text(encoding="utf-8")
# Streamlit's own menu is a drawer on a phone, which stays open over the page after a choice.
page = st.navigation(PAGES, position="hidden")
st.set_page_config(page_title=f"{page.title} · Nest cameras", page_icon=icon, layout="wide")
run_pending_navigation()
page_links(PAGES)
try:
    sources.settings()
except UserError as error:
    show_settings_error(str(error))
else:
    show_page_guide(page.url_path)
    page.run()
    freeze_loaded_objects()
