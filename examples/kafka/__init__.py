"""Kafka as a source and a sink of Spark: one example a file."""
