"""Streamlit elements that the pages share: controls, notices, badges, metrics and tables."""
