"""The jars that pip cannot bring: Spark's connectors and a whole Kafka broker."""
