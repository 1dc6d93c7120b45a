"""What Spark's Kafka sink is told, whichever topic a query writes to."""

from contract.settings import Settings
from contract.topics import LARGEST_DERIVED_RECORD


def sink_options(settings: Settings) -> dict[str, str]:
    """Return the options of Spark's Kafka sink, but for the topic."""
    return {
        "kafka.max.request.size": str(LARGEST_DERIVED_RECORD),
        **settings.kafka.spark_options(),
    }
