"""The Streamlit pages: they read the compacted topic and the lake, never through a JVM."""
