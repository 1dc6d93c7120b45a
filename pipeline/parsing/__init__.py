"""From the bytes of nest-logs records to camera rows and quarantine rows."""
