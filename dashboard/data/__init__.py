"""What the pages show, read from Kafka, the lake and the check; nothing here knows Streamlit."""
