"""How often pages are drawn anew, in seconds."""

WATCHED_REFRESH_S = 1
"""What somebody waits for: a check that runs, a message on its way."""
KAFKA_REFRESH_S = 2
LAKE_REFRESH_S = 3
"""The lake is also read that often; a reading of it takes longer than one of Kafka."""
