"""From the bytes of a nest-logs record to camera rows and quarantine rows."""
