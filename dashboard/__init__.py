"""The dashboard: Streamlit pages on nest-camera-stats and the lake, without a JVM."""
