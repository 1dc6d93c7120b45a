"""The checkpoints of the streaming queries: where they are, and whose they are."""

import json

from pyspark.sql import SparkSession

from contract.settings import Settings
from pipeline.storage import Storage


def checkpoint_uri(settings: Settings, query: str) -> str:
    """Return where a query's checkpoint is."""
    return f"{settings.checkpoints}/{query}"


def has_checkpoint(spark: SparkSession, settings: Settings, query: str) -> bool:
    """Return whether a query has begun, so that its next start goes on from its checkpoint."""
    return _metadata(spark, settings, query).exists()


def query_id(spark: SparkSession, settings: Settings, query: str) -> str:
    """Return the id that Spark gave a query at its first start; restarts do not change it."""
    return str(json.loads(_metadata(spark, settings, query).read_text())["id"])


def _metadata(spark: SparkSession, settings: Settings, query: str) -> Storage:
    return Storage(spark, f"{checkpoint_uri(settings, query)}/metadata")
