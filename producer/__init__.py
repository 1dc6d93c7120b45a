"""A seeded world of homes and the Nest messages that it sends to Kafka."""
