"""Kafka as all rooms use it: connections, offsets, users and their rights."""
