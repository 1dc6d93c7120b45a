"""The Spark application: both queries, live or to the end of the input."""

import json
import signal
import threading
from collections.abc import Callable
from datetime import timedelta
from typing import Any

from kafka import KafkaProducer
from pyspark.sql import SparkSession
from pyspark.sql.streaming.query import StreamingQuery
from rich.console import Console

from contract.counts import Counts
from contract.duration import format_duration
from contract.reading import open_consumer, partitions_of
from contract.settings import Settings
from contract.stats import encode_key
from contract.topics import TOPICS
from pipeline.progress import ProgressPublisher
from pipeline.queries import archive, stats
from pipeline.session import build_session
from pipeline.supervisor import supervise


def run_pipeline(settings: Settings, *, once: bool = False) -> None:
    """Run archive and stats until SIGTERM or SIGINT, or with ``once`` to the end of the input.

    Raises UserError when there is no Kafka or topic, a setting cannot be used, or a query cannot
    be kept running.
    """
    _require_topics(settings)
    stopping = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stopping.set())
    console = Console()
    spark = build_session(settings)
    console.print(f"Spark UI: {spark.sparkContext.uiWebUrl}", highlight=False)
    publisher = ProgressPublisher(settings.bootstrap_servers, console)
    spark.streams.addListener(publisher)

    def announce(query: str, state: Any, reason: str | None = None) -> None:
        publisher.announce(query, state, reason)
        if reason is not None:
            console.print(f"{query} is {state}: {reason}", style="yellow", highlight=False)

    last: dict[str, StreamingQuery] = {}
    try:
        last = supervise(_starts(spark, settings, once), stopping, announce)
    finally:
        spark.streams.removeListener(publisher)
        publisher.close({name: p for name, query in last.items() if (p := _last_progress(query))})
        spark.stop()


def rebuild_counts(settings: Settings) -> None:
    """Forget all counts, so that the pipeline's next start counts from the first message.

    Every key in nest-camera-stats gets a tombstone: a zip code that no longer has a count would
    otherwise keep its old one. Safe to repeat if it was interrupted.
    """
    _require_topics(settings)
    counts = Counts()
    with open_consumer(settings.bootstrap_servers) as consumer:
        counts.refresh(consumer)
    producer = KafkaProducer(bootstrap_servers=settings.bootstrap_servers.split(","), acks="all")
    sent = [producer.send("nest-camera-stats", key=encode_key(key)) for key in counts.by_key]
    for future in sent:
        future.get(timeout=30)
    producer.close()
    spark = build_session(settings)
    stats.forget(spark, settings)
    spark.stop()


def _starts(
    spark: SparkSession, settings: Settings, once: bool
) -> dict[str, Callable[[], StreamingQuery]]:
    def trigger(interval: timedelta) -> dict[str, object]:
        return {"availableNow": True} if once else {"processingTime": format_duration(interval)}

    return {
        archive.NAME: lambda: archive.start(spark, settings, trigger(settings.archive_trigger)),
        stats.NAME: lambda: stats.start(spark, settings, trigger(settings.stats_trigger)),
    }


def _last_progress(query: StreamingQuery) -> dict[str, Any] | None:
    progress = query.lastProgress
    return None if progress is None else json.loads(progress.json)


def _require_topics(settings: Settings) -> None:
    with open_consumer(settings.bootstrap_servers) as consumer:
        for topic in TOPICS:
            partitions_of(consumer, topic.name)
