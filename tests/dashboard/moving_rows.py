"""A page for Streamlit whose table has other rows each time that it is drawn."""

import pandas as pd
import streamlit as st

from dashboard.widgets.clicks import clicked_row

times_drawn = st.session_state["times drawn"] = st.session_state.get("times drawn", 0) + 1
rows = [f"row {number} of drawing {times_drawn}" for number in range(3)]
clicked = clicked_row(pd.DataFrame({"row": rows}), rows, "rows", hide_index=True)
if clicked:
    st.text(f"chosen: {clicked}")
