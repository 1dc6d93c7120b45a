"""What producer, pipeline and dashboard agree on: settings, topics and records.

No Spark and no Streamlit: every room imports this one, and it imports none of them.
"""
