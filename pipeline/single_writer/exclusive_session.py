"""The former place of ``reading_session``; ``pipeline.commands.archive_counts`` imports it here."""

from pipeline.spark.reading_session import reading_session

__all__ = ["reading_session"]
