"""What the rooms agree on: settings, topics, records, tables, queries and how to read them.

No Spark and no Streamlit: every room imports this one, and it imports none of them.
"""
