"""The Nest document in nest-logs: its schema and the headers of its records."""

from pathlib import Path

MESSAGE_SCHEMA = Path(__file__).with_name("message_schema.json")
"""Spark's JSON form of the schema of a whole message; it travels with the code."""

DIRT_HEADER = "dirt"
"""Names the kind of dirt that the producer injected on purpose; the pipeline never reads it."""
TIMELINE_HEADER = "timeline"
"""Lets a producer that starts again go on where it stopped; nobody else reads it."""
