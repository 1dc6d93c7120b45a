"""A batch job for ``spark-submit``: how many people the archive has seen, by zip code and hour.

And how many messages Kafka has. Master, memory and the connectors' jars come from spark-submit
(``NEST_SPARK_MASTER`` is empty), everything else from the project's settings. It uses SQL functions
alone, so the executors need no Python; a job with the project's parser needs its packages there,
too (``spark-submit --archives``).
"""

import json

from contract.lake import CAMERA
from contract.settings import load_settings
from pipeline.commands.archive_counts import recount
from pipeline.lake.tables import read_table
from pipeline.source import read_records
from pipeline.spark.session import build_session


def main() -> None:
    """Count, and print what was counted as one line of JSON."""
    settings = load_settings()
    spark = build_session(settings, "people-counted")
    counts = recount(spark, settings, read_table(spark, settings, CAMERA))
    found = {
        "counts": len(counts),
        "people": sum(counts.values()),
        "messages": read_records(spark, settings).count(),
    }
    print(json.dumps({"master": spark.sparkContext.master, **found}))  # noqa: T201 - its result
    spark.stop()


if __name__ == "__main__":
    main()
